/**
 * Makes one file of each large library into dist/libraries/, with its licences. Users then install 2 MB instead of 80,
 * and a file loads ten times as fast as many modules.
 */
import { build } from 'esbuild'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
const libraries = fileURLToPath(new URL('../dist/libraries/', import.meta.url))

/** The library's own file of everything draws the same bytes as its modules. */
const ENTRIES = {
  echarts: 'echarts/dist/echarts.esm.min.mjs',
  arrow: 'apache-arrow',
  aws: fileURLToPath(new URL('libraries/aws.mjs', import.meta.url)),
}

/** What the files contain, and must therefore name. */
const LICENSES = [
  '@aws-sdk/client-s3/LICENSE',
  '@aws-sdk/credential-providers/LICENSE',
  '@aws/lambda-invoke-store/LICENSE',
  '@smithy/core/LICENSE',
  'apache-arrow/LICENSE.txt',
  'apache-arrow/NOTICE.txt',
  'echarts/LICENSE',
  'echarts/NOTICE',
  'echarts/licenses/LICENSE-d3',
  'flatbuffers/LICENSE',
  'tslib/LICENSE.txt',
  'zrender/LICENSE',
]

const { metafile } = await build({
  metafile: true,
  entryPoints: ENTRIES,
  outdir: libraries,
  ...{ bundle: true, minify: true, keepNames: true },
  ...{ format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' },
  // The form with imports can leave out what nobody uses.
  mainFields: ['module', 'main'],
  // The library would announce the end of Node 20 on stderr of each command. docs/decisions/0058 says it instead.
  define: { 'process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED': '"true"' },
})
for (const file of LICENSES) {
  mkdirSync(join(libraries, 'licenses', dirname(file)), { recursive: true })
  cpSync(join(modules, file), join(libraries, 'licenses', file))
}

/** The name of a package, from the path of a file in it. */
const packageOf = (path) => /^(?:.*node_modules\/)?((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? path

// Users have these packages without installing them. The bill of materials names them.
const contained = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/'))
const packages = [...new Set([...contained, ...LICENSES].map(packageOf))].sort()
writeFileSync(join(libraries, 'packages.json'), `${JSON.stringify(packages, undefined, 2)}\n`)
