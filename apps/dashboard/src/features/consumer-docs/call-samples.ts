import type { EndpointParameter, ServedEndpoint } from '@gatehouse/contract'

export const sampleLanguages = ['curl', 'JavaScript', 'C#'] as const
export type SampleLanguage = (typeof sampleLanguages)[number]

interface Call {
  method: string
  url: string
  isGuarded: boolean
  headers: [name: string, value: string][]
  body: { type: string; text: string } | undefined
}

/**
 * A call of the endpoint to copy: `GATEHOUSE_TOKEN` in the environment holds the token, and what is in
 * braces is filled in by the reader.
 */
export const callSample = (
  endpoint: ServedEndpoint,
  language: SampleLanguage,
  isSigned = false,
): string => writers[language](callOf(endpoint, isSigned))

function callOf(
  { method_type, url, parameters, requires_token }: ServedEndpoint,
  isSigned: boolean,
): Call {
  const body = bodyOf(method_type, parameters)
  const signed = ['Signature-Input', 'Signature', ...(body ? ['Content-Digest'] : [])]
  const required = parameters.filter((each) => each.is_required)
  const placed = (place: EndpointParameter['in']) => required.filter((each) => each.in === place)
  const query = placed('query').map(({ name }) => `${encodeURIComponent(name)}={${name}}`)
  const cookies = placed('cookie').map(({ name }) => `${name}={${name}}`)
  return {
    method: method_type.toUpperCase(),
    url: query.length === 0 ? url : `${url}?${query.join('&')}`,
    isGuarded: requires_token && !isSigned,
    headers: [
      ...(requires_token && isSigned ? signed.map(filledIn) : []),
      ...placed('header').map(({ name }) => filledIn(name)),
      ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as [string, string]]),
    ],
    body,
  }
}

const filledIn = (name: string): [string, string] => [name, `{${name}}`]

function bodyOf(method: string, parameters: readonly EndpointParameter[]): Call['body'] {
  const fields = parameters.filter((each) => each.in === 'form')
  if (fields.length > 0) {
    const text = fields.map(({ name }) => `${encodeURIComponent(name)}={${name}}`).join('&')
    return { type: 'application/x-www-form-urlencoded', text }
  }
  const declared = parameters.find((each) => each.in === 'body')
  if (!declared && !['post', 'put', 'patch'].includes(method)) return undefined
  const types = declared?.type.split(', ') ?? []
  const type = types.find((each) => /^application\/(?:[\w.-]+\+)?json$/.test(each))
  const [first = ''] = types
  if (type !== undefined || !first.includes('/') || first.includes('*'))
    return { type: type ?? 'application/json', text: '{}' }
  return { type: first, text: '{body}' }
}

const writers: Record<SampleLanguage, (call: Call) => string> = {
  curl: ({ method, url, isGuarded, headers, body }) => {
    // Braces and brackets are shorthands to curl.
    const begin = ['curl', ...(/[{}[\]]/.test(url) ? ['--globoff'] : [])]
    const how = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['--request', method]
    const lines = [
      [...begin, ...how, inShell(url)].join(' '),
      ...(isGuarded ? ['--header "Authorization: Bearer $GATEHOUSE_TOKEN"'] : []),
      ...headersOf(headers, body).map((pair) => `--header ${inShell(pair.join(': '))}`),
      ...(body ? [`--data ${inShell(body.text)}`] : []),
    ]
    return lines.join(' \\\n  ')
  },
  JavaScript: ({ method, url, isGuarded, headers, body }) => {
    const lines = [
      ...(isGuarded ? ['    authorization: `Bearer ${process.env.GATEHOUSE_TOKEN}`,'] : []),
      ...headersOf(headers, body).map(
        ([name, value]) => `    ${inScript(name.toLowerCase())}: ${inScript(value)},`,
      ),
    ]
    const options = [
      ...(method === 'GET' ? [] : [`  method: ${inScript(method)},`]),
      ...(lines.length === 0 ? [] : ['  headers: {', ...lines, '  },']),
      ...(body
        ? [`  body: ${body.text === '{}' ? 'JSON.stringify({})' : inScript(body.text)},`]
        : []),
    ]
    const end = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
    return `const answer = await fetch(${inScript(url)}${end})\nconsole.log(answer.status, await answer.text())`
  },
  'C#': ({ method, url, isGuarded, headers, body }) => {
    const name = method.charAt(0) + method.slice(1).toLowerCase()
    const lines = [
      'using System.Net.Http.Headers;',
      'using System.Text;',
      '',
      'using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(60) };',
      `using var request = new HttpRequestMessage(HttpMethod.${name}, ${inText(url)});`,
      ...(isGuarded
        ? [
            'request.Headers.Authorization = new AuthenticationHeaderValue(',
            '    "Bearer", Environment.GetEnvironmentVariable("GATEHOUSE_TOKEN"));',
          ]
        : []),
      ...headers.map(
        (pair) => `request.Headers.TryAddWithoutValidation(${pair.map(inText).join(', ')});`,
      ),
      ...(body
        ? [
            `request.Content = new StringContent(${inText(body.text)}, Encoding.UTF8, ${inText(body.type)});`,
          ]
        : []),
      '',
      'using var answer = await client.SendAsync(request);',
      'Console.WriteLine($"{(int)answer.StatusCode} {await answer.Content.ReadAsStringAsync()}");',
    ]
    return lines.join('\n')
  },
}

const headersOf = (headers: Call['headers'], body: Call['body']): Call['headers'] =>
  body ? [...headers, ['Content-Type', body.type]] : headers

/** Single quotes hold everything for a shell but themselves. */
const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const inScript = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

const inText = (text: string) =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
