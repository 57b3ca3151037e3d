-- What probes write and delete again, to find out whether the database can be written.
CREATE TABLE health (
    key BLOB NOT NULL PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;
