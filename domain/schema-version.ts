/**
 * The version of the rules by which records are read: of the schemas and their fields in api, and of what imports read
 * alike. It is to be raised with every change by which a record that was refused could be read, or the other way round;
 * what was quarantined by another version is then read again.
 */
export const SCHEMA_VERSION = 2
