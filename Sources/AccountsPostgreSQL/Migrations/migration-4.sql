-- The topics that servers have published, in the last minutes. A row is visible with the commit that publishes the topic.
CREATE TABLE publication (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- not in the order of the commits
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    token bigint NOT NULL, -- random
    name bytea NOT NULL,
    key bytea NOT NULL
);

CREATE INDEX publication_by_transaction ON publication (transaction);

-- The newest row is never deleted, so that a process finds out whether rows were deleted that it has not read.
INSERT INTO publication (token, name, key) VALUES (0, '', '');
