import { signInOf, splitAtFirst } from './curl-sign-in.ts'
import { fieldText } from '../endpoint-texts.ts'
import type { ImportedDocument } from '../imported-document.ts'
import { refuse, toDocument } from '../read-request.ts'
import { OpenQuote, shellWords } from './shell-words.ts'

/** True for a command that begins with `curl`, also behind the sign of a prompt. */
export const isCurl = (text: string) => /^\s*(?:[$%#>]\s+)?curl(?:\.exe)?\s/i.test(text)

/** Options with a value, by both of their names; what is not here has none, or its value is passed over. */
const valued: Record<string, string> = {
  '-X': 'request',
  '-H': 'header',
  '-d': 'data',
  '-u': 'user',
  '-A': 'user-agent',
  '-e': 'referer',
  '-b': 'cookie',
  '-o': 'output',
  '-m': 'max-time',
  '-x': 'proxy',
  '-E': 'cert',
  '-F': 'form',
  '-T': 'upload-file',
  '-w': 'write-out',
  '-c': 'cookie-jar',
  '-D': 'dump-header',
  '-K': 'config',
  '-r': 'range',
}
const otherValued =
  'data-raw data-binary data-ascii data-urlencode json url key cacert connect-timeout retry resolve oauth2-bearer cert-type interface tls-max'
const valuedNames = new Set([...Object.values(valued), ...otherValued.split(' ')])
const bodies = new Set(['data', 'data-raw', 'data-binary', 'data-ascii', 'data-urlencode', 'json'])
const flags: Record<string, string> = { '-G': 'get', '-I': 'head' }

interface Command {
  url: string | undefined
  method: string | undefined
  headers: [name: string, value: string][]
  data: string[]
  isJson: boolean
  isInQuery: boolean
  isHead: boolean
  user: string | undefined
  bearer: string | undefined
  notes: string[]
}

/** The API and the endpoint of a curl command, with the sign-in that it holds. Throws `UnfitDocument`. */
export function readCurl(text: string): ImportedDocument {
  const command = readCommand(text)
  const { url = '', method, notes, headers, isHead } = command
  if (url === '') return refuse('The command names no address.')
  const data = command.data.join('&')
  const address = URL.parse(/^[a-z]+:\/\//i.test(url) ? url : `http://${url}`)
  if (!address) return refuse(`${fieldText(url, 200)} is no address.`)
  if (command.isInQuery && data !== '')
    address.search += `${address.search === '' ? '?' : '&'}${data}`
  const body = command.isInQuery ? '' : data
  const given = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const { signIn, passedOver } = signInOf(command)
  for (const name of passedOver)
    notes.push(`The header ${name} is not imported. Where the API needs it, set it there.`)
  return toDocument({
    format: 'curl',
    method: method ?? (isHead ? 'HEAD' : body === '' ? 'GET' : 'POST'),
    url: address.href,
    body,
    contentType: body === '' ? '' : (given ?? (command.isJson ? 'application/json' : '')),
    signIn,
    notes,
  })
}

function readCommand(text: string): Command {
  const words = wordsOf(text)
  const command: Command = {
    url: undefined,
    method: undefined,
    headers: [],
    data: [],
    isJson: false,
    isInQuery: false,
    isHead: false,
    user: undefined,
    bearer: undefined,
    notes: [],
  }
  for (let at = 0; at < words.length; at++) {
    const { name, value } = optionOf(words[at]!)
    if (name === undefined) take(command, 'url', words[at]!)
    else if (value !== undefined) take(command, name, value)
    else if (valuedNames.has(name)) take(command, name, words[++at] ?? '')
    else take(command, name, '')
  }
  return command
}

function wordsOf(text: string): string[] {
  try {
    const words = shellWords(text.trim())
    return words.slice(words.findIndex((word) => /^curl(?:\.exe)?$/i.test(word)) + 1)
  } catch (error) {
    if (error instanceof OpenQuote) return refuse('A quotation mark of the command is not closed.')
    throw error
  }
}

/** `-XPOST`, `-X`, `--request=POST`, `--request`; no name: not an option. */
function optionOf(word: string): { name?: string; value?: string | undefined } {
  if (word.startsWith('--')) {
    const [name, value] = splitAtFirst(word.slice(2), '=')
    return { name, value }
  }
  if (!/^-[A-Za-z#:]/.test(word)) return {}
  const short = word.slice(0, 2)
  const name = valued[short]
  if (name === undefined) {
    // Several in one, as `-sSL`: of these only what changes the request counts.
    const known = Object.keys(flags).find((flag) => word.includes(flag[1]!))
    return { name: (known && flags[known]) ?? 'nothing', value: '' }
  }
  return word.length > 2 ? { name, value: word.slice(2) } : { name }
}

function take(command: Command, name: string, value: string): void {
  if (bodies.has(name)) takeBody(command, name, value)
  else if (name === 'url') command.url ??= value
  else if (name === 'request') command.method = value
  else if (name === 'header') {
    const [header, text] = splitAtFirst(value, ':')
    if (text !== undefined) command.headers.push([header.trim(), text.trim()])
  } else if (name === 'user') command.user = value
  else if (name === 'oauth2-bearer') command.bearer = value
  else if (name === 'get') command.isInQuery = true
  else if (name === 'head') command.isHead = true
  else if (name === 'cookie') command.notes.push('Cookies are not imported.')
  else if (name === 'form' || name === 'upload-file')
    refuse('Forms with files are not read. Make the endpoint in the form of the API.')
}

function takeBody(command: Command, name: string, value: string): void {
  const readsFile = name !== 'data-raw' && value.startsWith('@')
  if (readsFile)
    refuse(
      `The command reads its body from the file ${fieldText(value.slice(1), 100)}. Put the text into the command.`,
    )
  command.data.push(name === 'data-urlencode' ? urlEncoded(value) : value)
  if (name === 'json') command.isJson = true
}

/** `name=value`: the value is encoded. */
function urlEncoded(value: string): string {
  const [name, text] = splitAtFirst(value, '=')
  if (text === undefined) return encodeURIComponent(name)
  return name === '' ? encodeURIComponent(text) : `${name}=${encodeURIComponent(text)}`
}
