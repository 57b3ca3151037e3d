-- When the user proved that the address is theirs; null if they have not.
ALTER TABLE account ADD COLUMN email_confirmed INTEGER; -- milliseconds since 1970-01-01T00:00:00Z
