import { stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Caller } from '../../kernel/caller.ts'
import { joinReference, withRefusals, type ReferenceParts } from './join-reference.ts'

/**
 * The OpenAPI 3.1 document of all calls, for signed-in users, and a reference page that reads it with
 * the session's token. Register it before the routes that it describes.
 */
export async function docsRoutes(
  app: FastifyInstance,
  version: string,
  /** What one caller may see beside the calls that everybody finds: workflows are added by users. */
  partsFor: (caller: Caller) => Promise<ReferenceParts>,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Gatehouse admin API', version, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/', description: 'The server that this document comes from.' }],
      components: { securitySchemes },
    },
    transform: jsonSchemaTransform,
    transformObject: (found) =>
      'openapiObject' in found ? withRefusals(found.openapiObject) : found.swaggerObject,
  })
  app.get(
    '/api/openapi.json',
    { config: { access: 'session' }, schema: { hide: true } },
    // The plugin keeps the calls of all users; what is added for one caller is not kept.
    async ({ caller }, reply) => {
      const parts = caller ? await partsFor(caller) : { paths: {}, schemas: {} }
      // Numbers of samples leave as they were written.
      const text = stringifyExact(joinReference(app.swagger(), parts) as unknown as ExactJson)
      return reply.type('application/json; charset=utf-8').send(text)
    },
  )

  const open = { config: { access: 'public' as const }, schema: { hide: true } }
  app.get('/api/docs', open, async (_, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/api/docs/page.js', open, async (_, reply) =>
    reply.type('text/javascript').send(pageScript),
  )
  let viewer: Promise<string> | undefined
  app.get('/api/docs/viewer.js', open, async (_, reply) =>
    reply
      .type('text/javascript')
      .header('cache-control', 'public, max-age=3600')
      .send(await (viewer ??= loadViewer())),
  )
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a session, or a token for programs, `gha_…`.',
  },
  personal_token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal access token, `ghp_…`. It opens the calls that name it, and the gateway.',
  },
} as const

/**
 * Scalar's browser script. Its package hands it out only by serving it, and is 4 MB: it is loaded
 * when the page is first opened.
 */
async function loadViewer(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(scalar, {
    routePrefix: '/docs',
    configuration: { content: '{"openapi":"3.1.0"}' },
  })
  const answer = await server.inject('/docs/js/scalar.js')
  await server.close()
  return answer.body
}

// No inline script: the page keeps to the same content security policy as the dashboard.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference – Gatehouse</title>
  </head>
  <body>
    <main id="reference">Loading...</main>
    <script src="/api/docs/viewer.js"></script>
    <script type="module" src="/api/docs/page.js"></script>
  </body>
</html>
`

const pageScript = `const token = localStorage.getItem('authToken')
const answer = await fetch('/api/openapi.json', { headers: { authorization: 'Bearer ' + token } })
if (answer.ok) {
  document.getElementById('reference').textContent = ''
  Scalar.createApiReference('#reference', {
    content: await answer.json(),
    withDefaultFonts: false,
    agent: { disabled: true },
    hideClientButton: true,
    telemetry: false,
    showDeveloperTools: 'never',
    mcp: { disabled: true },
  })
} else location.replace('/api/login/react')
`
