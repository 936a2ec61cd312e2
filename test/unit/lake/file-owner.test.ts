/** Goal: a config file that another user put into the current folder sends no credentials anywhere. */
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseForeignConfig } from '../../../lake/connection/file-owner.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const OTHER = 65534

test('a config file of another user is refused in a folder where that user can put files', (context) => {
  requireProgram(context, 'another user')
  const folder = tempFolder()
  const file = join(folder, 'tieout.yaml')
  writeFileSync(file, 'account: acme\n')
  const judge = () => refuseForeignConfig(file)
  const refused = expect.objectContaining({
    code: 'config_invalid',
    remedy: `if you trust that user, name the file with --config ${file}`,
  })
  expect(judge).not.toThrow()
  chownSync(file, OTHER, OTHER)
  // Only this user and root can put a file there, such as the mounted one of a container.
  expect(judge).not.toThrow()
  chmodSync(folder, 0o1777)
  expect(judge).toThrow(refused)
  chmodSync(folder, 0o755)
  chownSync(folder, OTHER, OTHER)
  expect(judge).toThrow(refused)
  chownSync(file, 0, 0)
  expect(judge).not.toThrow()
})
