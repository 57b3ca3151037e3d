-- What probes write and delete again, to find out whether the database can be written.
CREATE TABLE health (
    key bytea NOT NULL PRIMARY KEY,
    content bytea NOT NULL
);
