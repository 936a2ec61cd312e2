/** The reasons of a catalog or an object store, by the code of its software. */

export interface LakeCause {
  /** Reason and code, such as `PostgreSQL refused the password (28P01)`. */
  words: string
  /** Undefined if the fault may pass by itself. */
  remedy: string | undefined
}

const ADDRESS = 'correct the address in TIEOUT_LAKE'
const PASSWORD = 'check TIEOUT_LAKE_PASSWORD and the user in TIEOUT_LAKE'
const KEYS = 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN'
const RIGHTS = 'ask the owner of the bucket for the right to read and write below TIEOUT_LAKE_DATA'
const TRUST = 'have the certificate replaced, or make this machine trust its issuer'

/**
 * DuckDB passes on the text of libpq, the store or the TLS library, but the code only sometimes.
 */
const CAUSES: readonly (readonly [RegExp, string, string?])[] = [
  [/password authentication failed/i, 'PostgreSQL refused the password (28P01)', PASSWORD],
  [/no password supplied/i, 'PostgreSQL asks for a password (28P01)', PASSWORD],
  [
    /role "[^"]*" does not exist|no pg_hba\.conf entry/i,
    'PostgreSQL refused this user (28000)',
    PASSWORD,
  ],
  [
    /database "[^"]*" does not exist/i,
    'PostgreSQL has no such database (3D000)',
    `create it, or ${ADDRESS}`,
  ],
  [
    /permission denied for (?:database|schema|sequence|table)/i,
    'PostgreSQL gives this user no right to its tables (42501)',
    'grant this user the right to create and change tables',
  ],
  [
    /read-only transaction/i,
    'PostgreSQL is read-only (25006)',
    `name the primary server: ${ADDRESS}`,
  ],
  [/too many clients|remaining connection slots/i, 'PostgreSQL has no free connection (53300)'],
  [/the database system is/i, 'PostgreSQL is starting or stopping (57P03)'],
  [/temporary failure in name resolution/i, 'the host name can not be looked up now (EAI_AGAIN)'],
  [/could not translate host name/i, 'the host name is unknown (ENOTFOUND)', ADDRESS],
  [
    /server does not support SSL/i,
    'PostgreSQL does not offer TLS there',
    `leave out sslmode, or ${ADDRESS}`,
  ],
  [
    /self[- ]signed certificate/i,
    'the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    TRUST,
  ],
  [/certificate has expired/i, 'the certificate has expired (CERT_HAS_EXPIRED)', TRUST],
  [
    /does not match host ?name|no alternative certificate subject name/i,
    'the certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
    TRUST,
  ],
  [
    /certificate verify failed|unable to get local issuer|peer certificate/i,
    'the issuer of the certificate is unknown (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    TRUST,
  ],
  [
    /SSL connect error/i,
    'the TLS connection could not be made (EPROTO)',
    'check the scheme and the port of AWS_ENDPOINT_URL',
  ],
  [
    /NoSuchBucket/,
    'the store has no such bucket (NoSuchBucket)',
    'create the bucket, or correct TIEOUT_LAKE_DATA',
  ],
  [/InvalidAccessKeyId/, 'the store does not know the key (InvalidAccessKeyId)', KEYS],
  [/SignatureDoesNotMatch/, 'the store refused the secret key (SignatureDoesNotMatch)', KEYS],
  // The next attempt opens the lake with newer credentials, if this machine has any.
  [/ExpiredToken/, 'the session token has expired (ExpiredToken)'],
  [/RequestTimeTooSkewed/, "this machine's clock is wrong (RequestTimeTooSkewed)", 'set the clock'],
  [/AccessDenied|\b403\b/, 'the store refuses access (AccessDenied)', RIGHTS],
  [/connection refused|could not connect to server/i, 'no program listens there (ECONNREFUSED)'],
  [/timeout expired|timed out/i, 'no answer came in time (ETIMEDOUT)'],
]

/** The cause in an error text; undefined if it is unknown. */
export function lakeCause(text: string): LakeCause | undefined {
  const found = CAUSES.find(([pattern]) => pattern.test(text))
  return found && { words: found[1], remedy: found[2] }
}
