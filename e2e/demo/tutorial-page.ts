import { readFileSync } from 'node:fs'
import { runCommands } from '../harness/authority-pages/follow-page.ts'
import { blocksOf } from '../harness/authority-pages/read-page.ts'

const page = readFileSync(new URL('../../docs/tutorial.md', import.meta.url), 'utf8')

/** The commands of docs/tutorial.md that its reader types once the demo runs, in their order. */
export const tutorialCommands = blocksOf(page)
  .filter(({ language, text }) => language === 'sh' && text.startsWith('curl'))
  .map(({ text }) => text)

const [input = '', body = ''] = [...page.matchAll(/^ *```json\n([\s\S]*?)\n *```$/gm)].map(
  ([, text]) => text!,
)

/** What its reader types into the form of the workflow. */
export const tutorialTexts = { input, body }

/** Pictures that the page shows. */
export const tutorialPictures = [...page.matchAll(/\(images\/tutorial\/([\w-]+)\.png\)/g)].map(
  ([, name]) => name!,
)

interface Here {
  dashboardUrl: string
  authorityUrl: string
  token: string
}

/** Runs one as it is copied, with the addresses of a demo on other ports; what it prints. */
export const runTutorialCommand = (command: string, { dashboardUrl, authorityUrl, token }: Here) =>
  runCommands(
    command
      .replaceAll('http://localhost:3100', dashboardUrl)
      .replaceAll('http://127.0.0.1:4100', authorityUrl),
    '.',
    { TOKEN: token },
  )
