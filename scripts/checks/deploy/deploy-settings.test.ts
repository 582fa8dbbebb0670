import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../../apps/server/src/settings/settings.ts'
import { inRoot } from '../../lib/places.mjs'
import {
  assignments,
  compose,
  deployFile,
  objects,
  unitValues,
  type Parsed,
} from './deploy-files.mjs'

// Every setting that the files in deploy/ give is one that the server knows, with a value it takes.

const known = new Set(
  readFileSync(inRoot('apps/server/src/settings/settings.ts'), 'utf8')
    .split('\n')
    .flatMap((line) => /^ {2}([A-Z][A-Z_]+): /.exec(line)?.[1] ?? []),
)
/** Node reads it itself. */
const ofNode = 'NODE_ENV'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-deploy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a secret of this name may hold. */
const samples: Record<string, string> = {
  DATABASE_URL: 'postgres://one:secret@db.example/gatehouse',
  APP_KEY: Buffer.alloc(32, 1).toString('base64'),
  GATEWAY_KEY: Buffer.alloc(32, 2).toString('base64'),
  METRICS_TOKEN: 'a-token-of-many-letters',
}

/** `${NAME:-default}` as compose fills it in where nothing is set. */
const filledIn = (text: string) => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')

interface Given {
  from: string
  environment: Record<string, string>
}

function servers(): Given[] {
  const services = Object.entries<Parsed>(compose().services).filter(([, each]) =>
    /gatehouse/.test(each.image),
  )
  const shared = objects('ConfigMap', 'gatehouse')[0].data as Record<string, string>
  const pods = [...objects('Deployment'), ...objects('StatefulSet')]
  const ofUnit = Object.fromEntries(
    unitValues('Environment').flatMap((line) => line.split(' ').map((each) => each.split('='))),
  ) as Record<string, string>
  return [
    ...services.map(([name, each]) => ({ from: `compose ${name}`, environment: each.environment })),
    ...pods.map((each) => ({
      from: `kubernetes ${each.metadata.name}`,
      environment: {
        ...shared,
        ...Object.fromEntries(
          each.spec.template.spec.containers[0].env.map(({ name, value }: Parsed) => [name, value]),
        ),
      },
    })),
    { from: 'systemd', environment: { ...assignments(deployFile('gatehouse.env')), ...ofUnit } },
  ]
}

/** As the server gets it: texts, and files that are there. */
function asStarted(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      const secret = /^(.*)_FILE$/.exec(name)?.[1]
      if (secret === undefined) return [name, filledIn(value)]
      const file = join(folder, secret)
      writeFileSync(file, `${samples[secret]}\n`)
      return [name, file]
    }),
  )
}

describe('the settings in deploy/', () => {
  it('are settings of the server', () => {
    expect(known.size).toBeGreaterThan(25)
    const all = servers()
    expect(all.length).toBe(8)
    for (const { from, environment } of all) {
      const names = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''))
      expect(
        names.filter((name) => name !== ofNode && !known.has(name)),
        from,
      ).toEqual([])
    }
  })

  it('have values that the server takes', () => {
    for (const { environment } of servers())
      expect(readSettings(asStarted(environment)).dataDir).toBeTruthy()
  })

  it('hold no secret: secrets come as files', () => {
    for (const { from, environment } of servers())
      expect(Object.keys(environment).filter((name) => Object.hasOwn(samples, name), from)).toEqual(
        [],
      )
  })

  it('trust a proxy, never everybody', () => {
    for (const { from, environment } of servers()) {
      expect(environment['TRUSTED_PROXIES'], from).toBeTruthy()
      expect(environment['TRUSTED_PROXIES'], from).not.toMatch(/\/0\b/)
    }
  })
})
