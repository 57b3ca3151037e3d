-- The mails that wait until they are sent, and those that could not be sent.
CREATE TABLE mail (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    html TEXT,
    expires INTEGER, -- when it is no longer sent, in milliseconds since 1970-01-01T00:00:00Z
    queued INTEGER NOT NULL, -- when it was added, or an operator has last had it sent again
    attempts INTEGER NOT NULL DEFAULT 0, -- how often a server has claimed it since then
    due INTEGER NOT NULL, -- when a server may claim it
    claimed_until INTEGER, -- until when no other server may claim it
    failed INTEGER, -- when it has failed for good
    reason TEXT -- why the last attempt has failed
) STRICT;

CREATE INDEX mail_due ON mail (due, queued) WHERE failed IS NULL;
CREATE INDEX mail_failed ON mail (failed) WHERE failed IS NOT NULL;
