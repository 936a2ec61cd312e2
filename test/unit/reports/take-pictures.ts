/**
 * Takes the pictures of docs/pictures from a pack's page and workbook: `take-pictures.ts PACK`. The workbook needs
 * LibreOffice, and Python with pypdfium2 and pillow.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'

const FOLDER = join('docs', 'pictures')

export async function main(): Promise<number> {
  const pack = resolve(process.argv.at(-1) ?? '')
  mkdirSync(FOLDER, { recursive: true })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
    await page.goto(`file://${join(pack, 'summary.html')}`)
    const take = async (name: string): Promise<void> => {
      await page.screenshot({ path: join(FOLDER, `${name}.png`) })
    }
    await take('summary')
    for (const section of ['worklist', 'differences', 'pending']) {
      await page.evaluate(`document.getElementById('${section}').scrollIntoView()`)
      await take(section)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate('scrollTo(0, 0)')
    await take('summary-narrow')
  } finally {
    await browser.close()
  }
  takeSheets(join(pack, 'summary.xlsx'))
  return 0
}

/** Pictures of printed sheets, each the first page with the name of the sheet in its header. */
const SHEETS = { 'workbook-worklist': 'Worklist', 'workbook-settlements': 'Settlements' }

const DRAW = `
import json, sys, pypdfium2
pdf, folder, sheets = pypdfium2.PdfDocument(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
for picture, sheet in sheets.items():
    page = next(p for p in pdf if p.get_textpage().get_text_range().split('\\r\\n')[0].endswith(f' {sheet}'))
    drawn = page.render(scale=1.5).to_pil()
    drawn.crop((0, 0, drawn.width, 560)).quantize(256).save(f'{folder}/{picture}.png', optimize=True)
`

function takeSheets(workbook: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
  try {
    const profile = `-env:UserInstallation=file://${folder}/profile`
    const options = ['--headless', '--convert-to', 'pdf', '--outdir', folder, workbook]
    execFileSync('soffice', [profile, ...options], { stdio: 'ignore' })
    const pdf = join(folder, 'summary.pdf')
    execFileSync('python3', ['-c', DRAW, pdf, FOLDER, JSON.stringify(SHEETS)])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
