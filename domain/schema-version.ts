/**
 * The version of the rules of records: the table of fields, the checks of their kinds, and the SQL of imports. Raise it
 * with every change that reads a record that was refused, refuses one that was read, or words a refusal otherwise.
 * Records that another version quarantined are then read again.
 */
export const SCHEMA_VERSION = 3
