import { describe, expect, it } from 'vitest'
import { compose, deployFile, yamlFiles, yamlProblems, type Parsed } from './deploy-files.mjs'

const file = compose()
const services = Object.entries<Parsed>(file.services)
const keysOf = (value: unknown) =>
  Array.isArray(value) ? value.map((each) => String(each)) : Object.keys(value ?? {})

/** What compose knows of a service, as far as it is used here. */
const fields = new Set(
  `image restart init read_only cap_drop security_opt stop_grace_period networks depends_on environment
  secrets volumes healthcheck command ports`.split(/\s+/),
)

it('every YAML file in deploy/ is sound', () => {
  expect(yamlFiles.length).toBeGreaterThan(5)
  for (const each of yamlFiles) expect(yamlProblems(each), each).toEqual([])
})

describe('the compose file', () => {
  it('runs two control planes and three gateways', () => {
    const roles = services.map(([, { environment }]) => environment?.ROLE)
    expect(roles.filter((role) => role === 'control').length).toBe(2)
    expect(roles.filter((role) => role === 'gateway').length).toBe(3)
  })

  it('names networks, volumes, secrets and services that it declares, and uses each', () => {
    const used = { networks: new Set(), volumes: new Set(), secrets: new Set() }
    for (const [name, service] of services) {
      expect(
        Object.keys(service).filter((key) => !fields.has(key)),
        name,
      ).toEqual([])
      for (const each of keysOf(service.networks)) used.networks.add(each)
      for (const each of keysOf(service.secrets)) used.secrets.add(each)
      for (const each of keysOf(service.volumes))
        if (!/^[./]/.test(each)) used.volumes.add(each.split(':')[0])
      for (const each of keysOf(service.depends_on)) expect(file.services).toHaveProperty([each])
    }
    for (const kind of ['networks', 'volumes', 'secrets'] as const)
      expect([...used[kind]].sort(), kind).toEqual(Object.keys(file[kind]).sort())
  })

  it('gives each server a folder of its own, and lets it write nowhere else', () => {
    const folders = services.flatMap(([, { volumes }]) =>
      keysOf(volumes).filter((each) => each.endsWith(':/data')),
    )
    expect(new Set(folders).size).toBe(folders.length)
    for (const [name, service] of services.filter(([, each]) => each.environment?.ROLE)) {
      expect(service, name).toMatchObject({ init: true, read_only: true, cap_drop: ['ALL'] })
      expect(service.security_opt, name).toContain('no-new-privileges:true')
    }
  })

  it('waits for the health of what it needs, and pins every image to a version', () => {
    for (const [name, { image, depends_on }] of services) {
      if (!/gatehouse/.test(image)) expect(image, name).toMatch(/:\d+\.\d+/)
      if (Array.isArray(depends_on)) continue
      for (const [needed, { condition }] of Object.entries<Parsed>(depends_on ?? {})) {
        expect(condition, name).toBe('service_healthy')
        expect(file.services[needed].healthcheck, needed).toBeDefined()
      }
    }
  })

  it('trusts the address that Caddy has, and keeps upstream calls out of its own network', () => {
    const { ipv4_address } = file.services.caddy.networks.inside
    const [{ subnet }] = file.networks.inside.ipam.config
    for (const [, { environment }] of services.filter(([, each]) => each.environment?.ROLE)) {
      expect(environment.TRUSTED_PROXIES).toBe(`${ipv4_address}/32`)
      expect(environment.UPSTREAM_DENY).toBe(subnet)
    }
  })
})

describe('the proxies', () => {
  const caddy = deployFile('Caddyfile')
  const nginx = deployFile('nginx.conf')

  it('Caddy sends to all servers of the compose file, on the port of their part', () => {
    const targets = [...caddy.matchAll(/\b([\w-]+):(\d+)(?=[ \n])/g)]
      .filter(([, name = '']) => name in file.services)
      .map(([target]) => target)
    const expected = services.flatMap(([name, { environment }]) =>
      environment?.ROLE ? `${name}:${environment.ROLE === 'control' ? 3000 : 8080}` : [],
    )
    expect(targets.sort()).toEqual(expected.sort())
  })

  it('send no call a second time, and close idle connections before the server does', () => {
    // Of no method: only what found no connection is passed on.
    expect(caddy.match(/lb_retries 3\s+lb_retry_match \{\s+method NONE\s+\}/g)?.length).toBe(2)
    expect(caddy.match(/lb_retr/g)?.length).toBe(4)
    expect(caddy.match(/keepalive 4s/g)?.length).toBe(2)
    expect(nginx.match(/keepalive_timeout 4s/g)?.length).toBe(2)
    expect(nginx).not.toMatch(/proxy_next_upstream[^;]*(?:non_idempotent|http_)/)
  })

  it('nginx replaces what a client claims, and passes Host on', () => {
    const places = nginx.match(/proxy_pass/g)?.length
    for (const line of [
      /proxy_set_header X-Forwarded-For \$remote_addr;/g,
      /proxy_set_header Host \$host;/g,
      /proxy_set_header Connection "";/g,
    ])
      expect(nginx.match(line)?.length).toBe(places)
    expect(nginx).not.toContain('proxy_add_x_forwarded_for')
    const named = [...nginx.matchAll(/proxy_pass http:\/\/(\w+)/g)].map(([, name]) => name)
    for (const name of named) expect(nginx).toContain(`upstream ${name} {`)
  })

  it('show /metrics to nobody', () => {
    expect(caddy).toMatch(/@metrics path \/metrics\n\s*respond @metrics 404/)
    expect(nginx).toMatch(/location = \/metrics \{\s*return 404;/)
  })
})
