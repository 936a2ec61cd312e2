/** The program as its next version could be: the same code, and one more file of the schema. */
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../house/project-files.ts'
import { builtProject, newPlace } from './built.ts'

/** A new table with rows, a table that is altered, and rows that are written again. */
const SCHEMA = `create table lake.ops.run_note (run_id varchar, note varchar);

insert into lake.ops.run_note select run_id, 'from before' from lake.ops.run;

alter table lake.ops.landing add column note varchar;

alter table lake.ops.landing drop column note;

update lake.ops.landing set state = state;
`

/** Makes it in a folder of its own, which is gone after the tests of the file. */
export function nextVersion(): string {
  const { cwd } = newPlace()
  for (const name of ['bin', 'dist']) {
    cpSync(join(builtProject(), name), join(cwd, name), { recursive: true })
  }
  for (const name of ['package.json', 'sql', 'dist/libraries']) {
    cpSync(join(ROOT, name), join(cwd, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
  const schema = join(cwd, 'sql', 'schema')
  const version = String(readdirSync(schema).length + 1).padStart(4, '0')
  writeFileSync(join(schema, `${version}_next.sql`), SCHEMA)
  return cwd
}
