/** A certificate for a host that only those trust who are given its file. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from './temp-lake.ts'

/** Needs openssl. `file` is the path of the certificate. */
export function certificateFor(host: string): { key: Buffer; cert: Buffer; file: string } {
  const folder = tempFolder()
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
      .concat(['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`])
      .concat(['-keyout', key, '-out', file]),
  )
  if (made.status !== 0) throw new Error(`openssl made no certificate for ${host}`)
  return { key: readFileSync(key), cert: readFileSync(file), file }
}
