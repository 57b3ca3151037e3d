internal import CPostgreSQL

/// A type of column that rows decode, with its number in PostgreSQL's catalogue `pg_type`.
enum ColumnType: Oid {
    case boolean = 16
    case bytes = 17
    case name = 19
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
}
