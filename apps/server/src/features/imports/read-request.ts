import { baseUrlProblem, methods, type importFormats } from '@gatehouse/contract'
import type { DocumentNote } from '../../kernel/located-document.ts'
import { fieldText, toEndpointPath, toParameter } from './endpoint-texts.ts'
import { UnfitDocument, type ImportedDocument, type ImportedCall } from './imported-document.ts'

/** One request, as an address or a command names it. */
interface NamedRequest {
  format: Extract<(typeof importFormats)[number], 'curl' | 'address'>
  method: string
  url: string
  body: string
  contentType: string
  signIn: ImportedCall['signIn']
  notes: string[]
}

export const noteOf = (message: string): DocumentNote => ({
  message,
  pointer: '',
  line: null,
  column: null,
})

export const refuse = (message: string): never => {
  throw new UnfitDocument([noteOf(message)])
}

/** True for an address alone. */
export const isAddress = (text: string) => /^\s*https?:\/\/\S+\s*$/i.test(text)

/** The API and the endpoint of one address. Throws `UnfitDocument`. */
export const readAddress = (text: string): ImportedDocument =>
  toDocument({
    format: 'address',
    method: 'GET',
    url: text.trim(),
    body: '',
    contentType: '',
    signIn: null,
    notes: [],
  })

/** One server and its one operation. Throws `UnfitDocument` where no endpoint can be made of it. */
export function toDocument(request: NamedRequest): ImportedDocument {
  const url = URL.parse(request.url)
  if (!url || !/^https?:$/.test(url.protocol))
    return refuse(
      `${fieldText(request.url, 200)} is no address that begins with http:// or https://.`,
    )
  if (url.username !== '' || url.password !== '')
    return refuse(
      'The address holds a user name or a password. Leave it out, and set the sign-in in the API.',
    )
  const problem = baseUrlProblem(url.origin, 'address')
  if (problem !== undefined) return refuse(problem)
  const method = methods.find((each) => each === request.method.toLowerCase())
  if (!method) return refuse(`An endpoint can’t have the method ${fieldText(request.method, 20)}.`)
  const { path, problem: pathProblem } = toEndpointPath(decodeBraces(url.pathname))
  if (pathProblem !== undefined) return refuse(pathProblem)
  const summery = fieldText(`${method.toUpperCase()} ${path}`, 200)
  const names = [...new Set(url.searchParams.keys())]
  return {
    format: request.format,
    version: '',
    title: fieldText(url.host, 90),
    servers: [{ key: url.origin, url: url.origin, description: '' }],
    operations: [
      {
        method,
        path,
        summery,
        description: summery,
        parameters: [
          ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
            toParameter({ ...blank, name: name!, in: 'path', isRequired: true }),
          ),
          ...names.map((name) => toParameter({ ...blank, name, in: 'query', isRequired: false })),
        ],
        validation: null,
        servers: [url.origin],
        pointer: '',
        line: null,
      },
    ],
    notes: request.notes.map(noteOf),
    call: {
      url: `${url.origin}${url.pathname}${url.search}`,
      query: url.search.slice(1),
      body: request.body,
      contentType: request.contentType,
      signIn: request.signIn,
    },
  }
}

const blank = { type: 'string', description: '' }

/** `URL` writes the braces of a template in its own way. */
const decodeBraces = (pathname: string) => pathname.replace(/%7B/gi, '{').replace(/%7D/gi, '}')
