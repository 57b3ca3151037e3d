-- The keys of sessions, if something must be done when they end. A server of the earlier version stores sessions without them.
ALTER TABLE saved_session ADD COLUMN key bytea; -- in UTF-8
ALTER TABLE session ADD COLUMN key bytea; -- in UTF-8

-- The keys of sessions that have ended, until everything has been done for them.
CREATE TABLE ended_session (
    key bytea NOT NULL PRIMARY KEY, -- in UTF-8
    attempts bigint NOT NULL DEFAULT 0, -- how often a server has claimed it
    due bigint NOT NULL DEFAULT 0 -- when a server may claim it, in milliseconds since 1970-01-01T00:00:00Z
);

CREATE FUNCTION add_ended_session() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
    INSERT INTO ended_session (key) VALUES (OLD.key) ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$function$;

-- Whatever ends a session, also another program, adds its key in the same transaction.
CREATE TRIGGER session_ended AFTER DELETE ON session
    FOR EACH ROW WHEN (OLD.key IS NOT NULL) EXECUTE FUNCTION add_ended_session();

-- A logout gives the session another key.
CREATE TRIGGER session_key_changed AFTER UPDATE ON session
    FOR EACH ROW WHEN (OLD.key IS NOT NULL AND OLD.key IS DISTINCT FROM NEW.key) EXECUTE FUNCTION add_ended_session();
