-- The keys of sessions, if something must be done when they end.
ALTER TABLE saved_session ADD COLUMN key BLOB; -- in UTF-8
ALTER TABLE session ADD COLUMN key BLOB; -- in UTF-8

-- The keys of sessions that have ended, until everything has been done for them.
CREATE TABLE ended_session (
    key BLOB NOT NULL PRIMARY KEY, -- in UTF-8
    attempts INTEGER NOT NULL DEFAULT 0, -- how often a server has claimed it
    due INTEGER NOT NULL DEFAULT 0 -- when a server may claim it, in milliseconds since 1970-01-01T00:00:00Z
) STRICT, WITHOUT ROWID;

-- Whatever ends a session, also another program, adds its key in the same transaction.
CREATE TRIGGER session_ended AFTER DELETE ON session WHEN OLD.key IS NOT NULL
BEGIN
    INSERT OR IGNORE INTO ended_session (key) VALUES (OLD.key);
END;

-- A logout gives the session another key.
CREATE TRIGGER session_key_changed AFTER UPDATE OF key ON session WHEN OLD.key IS NOT NULL AND OLD.key IS NOT NEW.key
BEGIN
    INSERT OR IGNORE INTO ended_session (key) VALUES (OLD.key);
END;
