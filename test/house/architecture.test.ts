import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFiles, readProject, ROOT } from './project-files.ts'

const page = readProject('docs/architecture.md')

/** Rows of a file and a name that the file must have. */
const stepsIn = (text: string) =>
  [...text.matchAll(/^\| .* \| `([\w./-]+\.\w+)` \| `([\w.]+)` \|$/gm)].map(
    ([, file = '', name = '']) => ({ file, name }),
  )

const complaintsOn = (text: string): string[] =>
  stepsIn(text).flatMap(({ file, name }) => {
    if (!existsSync(join(ROOT, file))) return [`${file} is not there`]
    const content = `${file}\n${readProject(file)}`
    return new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`).test(content)
      ? []
      : [`${file} has no ${name}`]
  })

test('each step of docs/architecture.md names an existing file that has the named function', () => {
  expect(stepsIn(page).length).toBeGreaterThan(20)
  expect(complaintsOn(page)).toEqual([])
  expect(complaintsOn('| a step | `lake/landing/land.ts` | `vanish` |')).toEqual([
    'lake/landing/land.ts has no vanish',
  ])
  expect(complaintsOn('| a step | `lake/nowhere.ts` | `land` |')).toEqual([
    'lake/nowhere.ts is not there',
  ])
})

test('docs/architecture.md has every stage of sql/ and every folder of the program, and no other', () => {
  const stages = readdirSync(join(ROOT, 'sql')).filter((name) => /^\d\d_/.test(name))
  const pictured = [...page.matchAll(/\["(\d\d_\w+)<br\/>/g)].map(([, stage]) => stage)
  expect(pictured.toSorted()).toEqual(stages.toSorted())
  const listed = [...page.matchAll(/^\| `(sql\/\d\d_\w+)` \|/gm)].map(([, stage]) => stage)
  expect(listed).toEqual(stages.toSorted().map((stage) => `sql/${stage}`))
  const built: { include: string[] } = JSON.parse(readProject('tsconfig.build.json'))
  const folders = [...page.matchAll(/^\| `(\w+)` \| .* \| .* \|$/gm)].map(([, folder]) => folder)
  expect(folders.toSorted()).toEqual(built.include.toSorted())
  const inside = built.include.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${folder}/${entry.name}`),
  )
  const rooms = [...page.matchAll(/^\| `(\w+\/\w+)` \| [^|]* \|$/gm)].map(([, room]) => room)
  expect(rooms.filter((room) => room?.startsWith('sql/') === false).toSorted()).toEqual(
    inside.toSorted(),
  )
})

test('test/README.md says of every folder with tests what it proves, and of no other', () => {
  const held = projectFiles('test')
    .filter(({ path }) => path.endsWith('.test.ts'))
    .map(({ path }) => path.split('/').slice(1, -1).join('/'))
  const listed = [...readProject('test/README.md').matchAll(/^\| `([\w/-]+)` \|/gm)].flatMap(
    ([, folder = '']) => (['unit', 'truth', 'system'].includes(folder) ? [] : [folder]),
  )
  const unnamed = held.filter((folder) => !folder.startsWith('unit/') && !listed.includes(folder))
  expect([...new Set(unnamed)]).toEqual([])
  expect(listed.filter((folder) => !held.includes(folder))).toEqual([])
})
