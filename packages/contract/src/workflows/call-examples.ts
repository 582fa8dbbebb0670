import { parseExact, stringifyExact, type ExactJson } from '../mapping/exact/exact-json.ts'

/**
 * The `./call-examples` entry: calls of a workflow to copy, without Zod. Each works as it is once the
 * environment variable GATEHOUSE_TOKEN holds a personal token.
 */

export const callLanguages = ['curl', 'Node', 'PHP', 'C#'] as const
export type CallLanguage = (typeof callLanguages)[number]

interface CallExample {
  language: CallLanguage
  code: string
}

interface Call {
  url: string
  /** The sample input as JSON text of several lines, numbers as they were written. */
  json: string
  input: ExactJson
}

/** `sampleInput` is JSON text; where it is blank or no JSON, the calls send an empty object. */
export function workflowCallExamples(
  baseUrl: string,
  slug: string,
  sampleInput: string,
): CallExample[] {
  const input = readSample(sampleInput)
  // No quote can end the text that the address is in.
  const base = encodeURI(baseUrl.replace(/\/+$/, '')).replaceAll("'", '%27')
  const url = `${base}/api/workflows/${encodeURIComponent(slug)}/runs`
  const call = { url, json: stringifyExact(input, 2), input }
  return callLanguages.map((language) => ({ language, code: writers[language](call) }))
}

function readSample(text: string): ExactJson {
  try {
    return parseExact(text)
  } catch {
    return {}
  }
}

// In JSON text no line is the word JSON, and no three quotes follow each other.
const writers: Record<CallLanguage, (call: Call) => string> = {
  curl: ({ url, json }) => `# One key per document. To try again, send the same key.
KEY=$(openssl rand -hex 16)

curl --silent --show-error --include '${url}' \\
  --header "Authorization: Bearer $GATEHOUSE_TOKEN" \\
  --header "Content-Type: application/json" \\
  --header "Idempotency-Key: $KEY" \\
  --header "Prefer: wait=30" \\
  --data-binary @- <<'JSON'
${json}
JSON
`,
  Node: (call) => `import { randomUUID } from 'node:crypto'

// One key per document. To try again, send the same key.
const key = randomUUID()
${nodeBody(call)}

const answer = await fetch('${call.url}', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.GATEHOUSE_TOKEN}\`,
    'content-type': 'application/json',
    'idempotency-key': key,
    prefer: 'wait=30',
  },
  body,
})
const { message, run } = await answer.json()
// 200: accepted. 202: under way, look at the Location later. 502: not accepted. 504: not known yet.
console.log(answer.status, message ?? '', run?.id, run?.state, answer.headers.get('location'))
`,
  PHP: ({ url, json }) => `<?php

// One key per document. To try again, send the same key.
$key = bin2hex(random_bytes(16));
$body = <<<'JSON'
${json}
JSON;

$curl = curl_init('${url}');
curl_setopt_array($curl, [
    CURLOPT_POST => true,
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 60,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('GATEHOUSE_TOKEN'),
        'Content-Type: application/json',
        'Idempotency-Key: ' . $key,
        'Prefer: wait=30',
    ],
]);
$answer = curl_exec($curl);
if ($answer === false) {
    throw new RuntimeException(curl_error($curl));
}
// 200: accepted. 202: under way, look at the run later. 502: not accepted. 504: not known yet.
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;
`,
  'C#': ({ url, json }) => `using System.Net.Http.Headers;
using System.Text;

// One key per document. To try again, send the same key.
var key = Guid.NewGuid().ToString();
var body = """
${json}
""";

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(60) };
using var request = new HttpRequestMessage(HttpMethod.Post, "${url}");
request.Headers.Authorization = new AuthenticationHeaderValue(
    "Bearer", Environment.GetEnvironmentVariable("GATEHOUSE_TOKEN"));
request.Headers.Add("Idempotency-Key", key);
request.Headers.Add("Prefer", "wait=30");
request.Content = new StringContent(body, Encoding.UTF8, "application/json");

using var answer = await client.SendAsync(request);
// 200: accepted. 202: under way, look at the run later. 502: not accepted. 504: not known yet.
Console.WriteLine($"{(int)answer.StatusCode} {await answer.Content.ReadAsStringAsync()}");
`,
}

/** An object where JavaScript keeps all of it; else the text, for numbers that it would round. */
function nodeBody({ input, json }: Call): string {
  const text = stringifyExact(input)
  if (JSON.stringify(JSON.parse(text)) === text && !text.includes('"__proto__"'))
    return `const input = ${json}\nconst body = JSON.stringify(input)`
  const escaped = json.replace(/[\\`]|\$\{/g, (found) => `\\${found}`)
  return `// As text: JavaScript would round or reorder some of it.\nconst body = \`${escaped}\``
}
