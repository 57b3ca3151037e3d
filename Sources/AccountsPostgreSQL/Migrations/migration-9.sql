-- What an operator has noted for support; null for nothing.
ALTER TABLE account ADD COLUMN note bytea;

-- The roles of the user, as a JSON array of strings; null for none.
ALTER TABLE account ADD COLUMN roles bytea;
