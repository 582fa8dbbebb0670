import { textOr, toObject } from '../../lib/browser/kept-json.ts'
import { isSecretName } from '../../entities/endpoint/curl-command.ts'

/** What was typed to try an endpoint, without the token. */
export interface TriedValues {
  params: Record<string, string>
  query: string
  headers: string
  body: string
}

/** The same with what is a secret by its name left blank: in the query, the headers and a JSON body. */
export function withoutSecrets({ params, query, headers, body }: TriedValues): TriedValues {
  return {
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, isSecretName(name) ? '' : value]),
    ),
    query: query
      .split('&')
      .map((pair) => withoutValue(pair, '='))
      .join('&'),
    headers: headers
      .split('\n')
      .map((line) => withoutValue(line, ':'))
      .join('\n'),
    body: body.replaceAll(
      /("((?:[^"\\]|\\.)*)"\s*:\s*)"(?:[^"\\]|\\.)*"/g,
      (pair: string, head: string, name: string) => (isSecretName(name) ? `${head}""` : pair),
    ),
  }
}

/** `name=secret` or `Name: secret` without what follows. */
function withoutValue(pair: string, separator: string): string {
  const at = pair.indexOf(separator)
  return at >= 0 && isSecretName(pair.slice(0, at)) ? pair.slice(0, at + 1) : pair
}

/** Reads what the browser kept, whatever stands there. */
export function readTriedValues(value: unknown): TriedValues {
  const { params, query, headers, body } = toObject(value)
  const texts = Object.entries(toObject(params)).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text] as const] : [],
  )
  return {
    params: Object.fromEntries(texts),
    query: textOr(query, ''),
    headers: textOr(headers, ''),
    body: textOr(body, ''),
  }
}
