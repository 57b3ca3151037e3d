"""What checks, attacks, benchmarks and browser tests share: a server as a process, and a PostgreSQL server."""
