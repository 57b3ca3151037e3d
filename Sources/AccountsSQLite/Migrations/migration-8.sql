-- The topics that processes have published, in the last minutes. A row is visible with the commit that publishes the topic.
CREATE TABLE publication (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    token INTEGER NOT NULL, -- random
    name TEXT NOT NULL,
    key TEXT NOT NULL
) STRICT;

-- The newest row is never deleted, so that a process finds out whether rows were deleted that it has not read.
INSERT INTO publication (token, name, key) VALUES (0, '', '');
