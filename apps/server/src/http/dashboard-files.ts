import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import { securityHeaders } from './security-headers.ts'

const yearMs = 31_536_000_000

/**
 * Serves the built dashboard. Its assets carry their hash in the name and never change; the page
 * itself is fetched again each time. Every path that no call answers is a screen of the dashboard,
 * which shows its own 404, unless it lies under `/assets/`, or under `/api/` (the login screen does).
 */
export async function serveDashboard(app: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      serve: false,
      cacheControl: false,
      // The build has packed every file already, smaller than there is time for here.
      preCompressed: true,
    })
    app.get(
      '/assets/*',
      { config: { access: 'public' }, schema: { hide: true }, onSend: keepAssetHeaders },
      // As an option, so that browsers do not keep the answer to a missing file for a year.
      (request, reply) =>
        reply.sendFile(assetPath(request), { cacheControl: true, maxAge: yearMs, immutable: true }),
    )
    app.get(
      '/:file',
      { config: { access: 'public' }, schema: { hide: true } },
      (request, reply) => {
        const { file } = request.params as { file: string }
        if (!isRootFile(folder, file)) return reply.callNotFound()
        return reply.header('cache-control', 'no-cache').sendFile(file)
      },
    )
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isScreen(request)) return sendPage(reply)
    throw new AppError('route.not_found')
  })
}

/** What else the security headers say is about pages, and longer than a small script. */
const assetHeaders = new Set(['x-content-type-options', 'cross-origin-resource-policy'])
const pageHeaders = Object.keys(securityHeaders).filter((name) => !assetHeaders.has(name))

async function keepAssetHeaders(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (reply.statusCode >= 400) return
  for (const name of pageHeaders) reply.removeHeader(name)
}

const assetPath = (request: FastifyRequest) => `assets/${(request.params as { '*': string })['*']}`

/** The few files beside the page: the icon, the script that sets the colour scheme. */
const isRootFile = (folder: string, file: string) =>
  /^[a-z0-9-]+\.(svg|ico|png|js|txt|webmanifest)$/.test(file) && existsSync(join(folder, file))

const sendPage = (reply: FastifyReply) =>
  reply.header('cache-control', 'no-cache').sendFile('index.html')

function isScreen({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?')[0] ?? ''
  if ((method !== 'GET' && method !== 'HEAD') || path === '/metrics') return false
  if (path.startsWith('/api/')) return path.replace(/\/$/, '') === '/api/login/react'
  // A page that is still open asks for files of the build it came from: HTML would be run as a script.
  if (path === '/assets' || path.startsWith('/assets/')) return false
  const accepted = path.startsWith('/admin/') ? /text\/html/ : /text\/html|\*\/\*|^$/
  return accepted.test(headers.accept ?? '')
}
