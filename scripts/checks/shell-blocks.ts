import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A block of the documentation that shows what to type in a shell. */
export interface ShellBlock {
  /** From the top folder of the repository. */
  file: string
  line: number
  text: string
  /** Marked as `sh run`: e2e/operations/documented-commands.curl.ts runs it on a fresh installation. */
  isRun: boolean
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const fence = /^```([^\n`]*)\n([\s\S]*?)\n```$/gm
const shells = new Set(['sh', 'bash', 'shell', 'console', 'zsh'])
/** A block without a language whose first line is a command is one of a shell, too. */
const command =
  /^(?:\$ |[A-Z_]+=\S+ )*(?:npm|npx|node|curl|wget|docker|kubectl|tar|sudo|git|export|cd) /

/** Those of the pages that operators and callers read, in the order of their files. */
export function shellBlocks(): ShellBlock[] {
  // The blocks of translations are those of the English pages.
  const files = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md'], {
    cwd: root,
    exclude: ['docs/ar/**'],
  })
  return files.toSorted().flatMap(blocksOf)
}

function blocksOf(file: string): ShellBlock[] {
  const page = readFileSync(`${root}/${file}`, 'utf8')
  return [...page.matchAll(fence)].flatMap(({ 1: info = '', 2: text = '', index }) => {
    const [language = '', ...marks] = info.split(' ')
    if (!shells.has(language) && !(language === '' && command.test(text))) return []
    const line = page.slice(0, index).split('\n').length
    return [{ file, line, text, isRun: marks.includes('run') }]
  })
}
