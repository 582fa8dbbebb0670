import { expect, it } from 'vitest'
import { readSettings } from './settings.ts'

it('has a default for everything, and no default secret', () => {
  const settings = readSettings({})
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    gatewayPort: 8080,
    gatewayUrl: 'http://localhost:8080',
    dataDir: './data',
    adminEmail: 'admin@example.com',
  })
  expect(settings.adminPassword).toBeUndefined()
  expect(settings.appKey).toBeUndefined()
})

it.each([
  ['PORT', '65536'],
  ['PORT', 'http'],
  ['PORT', '-1'],
  ['GATEWAY_PORT', '80a'],
  ['HOST', 'example.com'],
  ['GATEWAY_URL', 'gateway.example.com'],
  ['GATEWAY_URL', 'https://gateway.example.com/path'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['ADMIN_EMAIL', 'nobody'],
  ['ADMIN_PASSWORD', 'too short'],
  ['ADMIN_PASSWORD', 'x'.repeat(129)],
  ['APP_KEY', 'c2hvcnQ='],
  ['SESSION_IDLE_HOURS', '0'],
  ['UPSTREAM_DENY', '10.0.0.0/33'],
  ['UPSTREAM_ALLOW', 'example.com'],
  ['TRUSTED_PROXIES', '10.0.0.1/8/8'],
  ['ARCHIVE_DIR', 'archive'],
  ['LOG_DIRS', 'var/log'],
  ['LOG_DIRS', '/var/log,../elsewhere'],
  ['LOG_LEVEL', 'loud'],
  ['GATEWAY_LOG_MAX_MB', '12'],
  ['GATEWAY_WORKERS', '0'],
  ['GATEWAY_WORKERS', '1.5'],
  ['INTERNAL_NETWORKS', '10.0.0.0'.repeat(2)],
  ['METRICS_TOKEN', 'short'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['DATABASE_CONNECTIONS', '1'],
  ['ROLE', 'leader'],
  ['ROLE', 'control'],
  ['ROLE', 'gateway'],
  ['GATEWAY_KEY', 'c2hvcnQ='],
  ['REDIS_URL', 'localhost:6379'],
  ['REDIS_URL', 'http://localhost:6379'],
  ['REDIS_URL', 'redis://localhost/first'],
  ['REDIS_PREFIX', 'two words'],
  ['GATEWAY_STALE_AFTER', '0'],
  ['SMTP_URL', 'https://mail.example.com'],
  ['SMTP_URL', 'smtp://mail.example.com/path'],
  ['SMTP_URL', 'smtps://mail.example.com?security=none'],
  ['SMTP_FROM', 'nobody'],
  ['SMTP_CA', 'relative.pem'],
  ['TLS_CERT', '/etc/tls/alone.pem'],
  ['TLS_KEY', '/etc/tls/alone.key'],
])('refuses %s=%s in one line that names the variable and what is allowed', (name, value) => {
  let message = ''
  try {
    readSettings({ [name]: value })
  } catch (error) {
    message = (error as Error).message
  }
  expect(message).toContain(name)
  expect(message).toMatch(/can't be used: .{8,}/)
  expect(message).not.toContain('\n')
})

it('refuses a gateway that runs alone without its key, or with the key of the control plane', () => {
  const key = Buffer.alloc(32).toString('base64')
  const gateway = { ROLE: 'gateway', DATABASE_URL: 'postgres://gateway@db/gatehouse' }
  expect(() => readSettings(gateway)).toThrow(/GATEWAY_KEY/)
  expect(() => readSettings({ ...gateway, GATEWAY_KEY: key, APP_KEY: key })).toThrow(/APP_KEY/)
  expect(readSettings({ ...gateway, GATEWAY_KEY: key })).toMatchObject({ role: 'gateway' })
})

it('does not repeat secrets in its complaints', () => {
  expect(() => readSettings({ ADMIN_PASSWORD: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
  expect(() => readSettings({ DATABASE_URL: 'mysql://user:hunter2@db' })).toThrow(/^(?!.*hunter2)/)
  expect(() => readSettings({ REDIS_URL: 'http://user:hunter2@db' })).toThrow(/^(?!.*hunter2)/)
  expect(() => readSettings({ SMTP_URL: 'http://user:hunter2@db' })).toThrow(/^(?!.*hunter2)/)
})

it('sends e-mails with a sender and the address of the dashboard only', () => {
  const given = {
    SMTP_URL: 'smtp://gate%40house:a%2Fb@mail.example.com',
    SMTP_FROM: 'gatehouse@example.com',
    PUBLIC_URL: 'https://gatehouse.example.com',
  }
  expect(readSettings({}).mail).toBeUndefined()
  expect(() => readSettings({ ...given, SMTP_FROM: '' })).toThrow(/^SMTP_FROM/)
  expect(() => readSettings({ ...given, PUBLIC_URL: '' })).toThrow(/^PUBLIC_URL/)
  expect(readSettings(given).mail).toEqual({
    host: 'mail.example.com',
    port: 587,
    security: 'starttls',
    user: 'gate@house',
    password: 'a/b',
    from: 'gatehouse@example.com',
    ca: '',
  })
  const mailOf = (SMTP_URL: string) => readSettings({ ...given, SMTP_URL }).mail
  expect(mailOf('smtps://mail.example.com')).toMatchObject({ port: 465, security: 'tls', user: '' })
  expect(mailOf('smtp://[::1]:2525?security=none')).toMatchObject({
    host: '::1',
    port: 2525,
    security: 'none',
  })
})

it('refuses one port for both listeners, where both were set', () => {
  expect(() => readSettings({ PORT: '3700', GATEWAY_PORT: '3700' })).toThrow(
    /^GATEWAY_PORT=3700 can't be used/,
  )
  expect(readSettings({ PORT: '8080' }).port).toBe(8080)
  expect(readSettings({ PORT: '0', GATEWAY_PORT: '0' }).port).toBe(0)
})
