import { readFileSync } from 'node:fs'

/** A fenced block of a page, with the paragraph in front of it. */
interface Block {
  language: string
  text: string
  before: string
}

/** What the authority answers: to a submit, or when it is asked later. */
export interface AuthorityAnswer {
  status: number
  headers: Record<string, string>
  body: string
  isPoll: boolean
}

export type Moment =
  | { kind: 'answer'; answer: AuthorityAnswer }
  /** What the caller sees: the answer of the call that starts the run, then of the one that looks it up. */
  | { kind: 'seen'; json: string }

/** What the authority receives: a request and its body. */
export interface Sent {
  method: string
  path: string
  language: string
  body: string
}

interface Outcome {
  title: string
  moments: Moment[]
}

/** A page of docs/authorities, as far as a machine follows it. */
export interface AuthorityPage {
  api: string
  endpoints: { method: string; path: string }[]
  /** The run settings of one of them, counted from 1, as JSON. */
  settings: { of: number; json: string }
  save: string
  start: string
  lookUp: string
  sent: Sent[]
  outcomes: Outcome[]
}

export function readAuthorityPage(file: URL): AuthorityPage {
  const sections = splitAt(readFileSync(file, 'utf8'), '## ')
  const section = (title: string) => {
    const text = sections.get(title)
    if (text === undefined) throw new Error(`${file.pathname} has no section ${title}.`)
    return text
  }
  const only = (title: string, language: string) => {
    const found = blocksOf(section(title)).filter((block) => block.language === language)
    if (found.length !== 1) throw new Error(`${title} needs one block of ${language}.`)
    return found[0]!.text
  }
  const answers = splitAt(section('Answers'), '### ')
  return {
    api: only('The API', 'json'),
    endpoints: endpointsOf(section('The API')),
    settings: {
      of: Number(/`ENDPOINT_(\d)`/.exec(section('Run settings'))?.[1]),
      json: only('Run settings', 'json'),
    },
    save: only('The workflow', 'sh'),
    start: only('Start a run', 'sh'),
    lookUp: only('Look it up', 'sh'),
    sent: sentOf(section('What is sent'), file),
    outcomes: [...answers].map(([title, text]) => ({ title, moments: momentsOf(text) })),
  }
}

/** The texts below the headings of one level, by heading. */
function splitAt(text: string, mark: string): Map<string, string> {
  const parts = text.split(new RegExp(`^${mark}`, 'm')).slice(1)
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end).trim(), part.slice(end + 1)]
    }),
  )
}

const fence = /^```(\w+)\n([\s\S]*?)\n```$/gm

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(fence)].map((match) => ({
    language: match[1] ?? '',
    text: match[2] ?? '',
    before: text.slice(0, match.index).trim().split('\n\n').at(-1) ?? '',
  }))
}

/** `| id | `POST /path`, what it is for | `profile` |` */
function endpointsOf(text: string) {
  const rows = text.matchAll(/^\|[^|]*\| `(GET|POST) (\S+)`[^|]*\|[^|]*\|$/gm)
  return [...rows].map(([, method = '', path = '']) => ({ method, path }))
}

/** A line begins with each request. One without a block or a file has the body of the one before it. */
function sentOf(text: string, page: URL): Sent[] {
  const sent: Sent[] = []
  for (const part of text.split(/^(?=`[A-Z]+ )/m).slice(1)) {
    const [, method = '', path = ''] = /^`([A-Z]+) (\S+)`/.exec(part) ?? []
    const { language, body } = bodyOf(part, page) ?? sent.at(-1) ?? { language: '', body: '' }
    sent.push({ method, path, language, body })
  }
  return sent
}

/** A body in a block of the page, or in a file that it links. */
function bodyOf(part: string, page: URL): Pick<Sent, 'language' | 'body'> | undefined {
  const [, name, language = ''] = /\((samples\/sent\/[\w-]+\.(\w+))\)/.exec(part) ?? []
  if (name) return { language, body: readFileSync(new URL(name, page), 'utf8') }
  const [block] = blocksOf(part)
  return block && { language: block.language, body: block.text }
}

/** "… answers 200:" in front of a block says whose it is. A block of `http` is an answer without a body. */
const momentsOf = (text: string): Moment[] =>
  blocksOf(text).map(({ language, text: block, before }) => {
    const [, status] = /answers (\d{3})/.exec(before) ?? []
    if (status === undefined) return { kind: 'seen', json: block }
    const headers = language === 'http' ? headersOf(block) : {}
    const body = language === 'http' ? '' : block
    const isPoll = /\bAsked\b/.test(before)
    return { kind: 'answer', answer: { status: Number(status), headers, body, isPoll } }
  })

const headersOf = (block: string) =>
  Object.fromEntries(block.split('\n').map((line) => line.split(': ', 2) as [string, string]))
