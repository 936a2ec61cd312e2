/**
 * The version of the rules for reading records: the schemas and fields of the api, and the same
 * rules of imports. Raise it with every change that accepts a refused record, or refuses an
 * accepted one. Records that another version quarantined are then read again.
 */
export const SCHEMA_VERSION = 2
