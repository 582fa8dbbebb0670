import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { AlarmChannelRecord } from '@gatehouse/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAlarmServer, type AlarmServer } from '../../../../test/servers/alarm-server.ts'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'
import { mailCertificate, startMailServer } from '../../../../test/servers/mail-server.ts'
import { cut } from '../../../../test/servers/run-server.ts'

type MailServer = Awaited<ReturnType<typeof startMailServer>>

const everyChannel = {
  channels: { is_all: true, ids: [] },
  escalate_minutes: null,
  escalation_ids: [],
}

let app: AlarmServer
let post: number
let mail: MailServer
const closing: (() => unknown)[] = []
beforeAll(async () => {
  app = await startAlarmServer({ PUBLIC_URL: 'https://gatehouse.example.com' })
  post = await app.endpoint({ path: '/post' })
  await app.change('lane_outage', { is_on: false })
  await app.check()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.startOver()
  await app.forget()
  await app.change('unknown', everyChannel)
  await app.server.db.deleteFrom('alarm_mute').execute()
  await app.server.db.deleteFrom('alarm_channel').execute()
  await app.server.db.deleteFrom('delivery').execute()
  await app.server.db.updateTable('alarm').set({ ended_at: '2026-01-01T00:00:00.000Z' }).execute()
  mail = await startMailServer()
})
afterEach(async () => {
  await mail.close()
  await Promise.all(closing.splice(0).map((close) => close()))
})

const mailChannel = (changes: Record<string, unknown> = {}) => ({
  name: 'On call',
  kind: 'e-mail',
  is_on: true,
  tells_end: true,
  host: 'localhost',
  port: mail.port,
  security: 'starttls',
  ca: mailCertificate,
  user: 'gatehouse',
  secret: 'a password of mail',
  from: 'gatehouse@example.com',
  to: 'ann@example.com, bob@example.com',
  ...changes,
})
async function addChannel(body: Record<string, unknown>) {
  const answer = await app.post('/api/alarm-channels', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { channel: AlarmChannelRecord; new_secret: string | null }
}
const test = async (id: number) =>
  (await app.post(`/api/alarm-channels/${id}/test`, {})).body as { ok: boolean; answer: string }

/** Accepts connections and says nothing, until it speaks as the server behind another port. */
async function startSilentServer() {
  const connected = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  let port: number | undefined
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    connected.resolve()
    if (port === undefined) return
    const behind = connect(port, '127.0.0.1')
    behind.on('error', () => {})
    socket.pipe(behind).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connected: connected.promise,
    speakAs: (other: number) => (port = other),
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Each in a lane of its own: a lane stops after a few of them. */
async function unknownRuns(count = 1) {
  app.answer(cut)
  for (let n = 0; n < count; n++) {
    const flow = await app.workflow([{ endpointId: post, text: '{"n":"{{input.n}}"}' }])
    await app.put(flow, { reference: `INV-${Math.random()}` })
  }
  await app.settled()
}
/** Time passes, rules are looked at, and the outbox sends. */
const pass = async (minutes = 0) => {
  await app.check(minutes)
  await app.server.unattended.deliveries.keeper.look()
}
const resolveAll = () => app.forget()

describe('an e-mail', () => {
  it('says what happened, since when, what it means, what to do, and where; later that it is over', async () => {
    await addChannel(mailChannel())
    await unknownRuns()
    await pass(60)
    expect(mail.mails).toMatchObject([
      {
        from: 'gatehouse@example.com',
        to: ['ann@example.com', 'bob@example.com'],
        user: 'gatehouse',
        isSecure: true,
      },
    ])
    const text = mail.mails[0]!.text.replace(/=\r\n/g, '')
    for (const part of [
      'the outcome is unknown.',
      'Since: 2026-06-',
      'By reason: the connection was lost (1)',
      'What it means: The document was sent',
      'What to do: Ask the authority',
      'Look at it: https://gatehouse.example.com/dashboard/admin/runs/',
      'Auto-Submitted: auto-generated',
      'Message-ID: <msg_',
    ])
      expect(text.toLowerCase()).toContain(part.toLowerCase())
    await resolveAll()
    await pass(1)
    expect(mail.subjects()[1]).toMatch(/^\[Gatehouse\] Over: Run \d+/)
    await pass(60 * 48)
    expect(mail.mails).toHaveLength(2)
  })

  it('is not sent again by a check, but daily while nobody acknowledges it', async () => {
    await addChannel(mailChannel({ tells_end: false }))
    await unknownRuns()
    await pass(60)
    for (let hour = 0; hour < 23; hour++) await pass(60)
    expect(mail.mails).toHaveLength(1)
    await pass(60)
    expect(mail.subjects()[1]).toContain('Still: Run')
    const { alarms } = await app.bell()
    await app.post('/api/alarms/acknowledge', { ids: alarms.map(({ id }) => id) })
    await pass(60 * 48)
    expect(mail.mails).toHaveLength(2)
  })

  it('is one for many alarms of one check, with the first twenty', async () => {
    await addChannel(mailChannel())
    await unknownRuns(37)
    await pass(60)
    expect(mail.subjects()).toEqual(['[Gatehouse] 37 runs with an unknown outcome'])
    const text = mail.mails[0]!.text.replace(/=\r\n/g, '')
    expect(text.match(/^- Run/gm)).toHaveLength(20)
    expect(text).toContain('and 17 more')
    expect(text).toContain('By reason: the connection was lost (37)')
    await resolveAll()
  })

  it('is not sent while the alarm is muted, and is once the mute is over', async () => {
    await addChannel(mailChannel())
    await unknownRuns()
    await app.server.db.updateTable('alarm_channel').set({ is_on: 0 }).execute()
    await pass(60)
    const { alarms } = await app.bell()
    const until = new Date(app.server.time.now.getTime() + 3_600_000).toISOString()
    await app.post(`/api/alarms/${alarms[0]!.id}/mute`, { what: 'alarm', until })
    await app.server.db.updateTable('alarm_channel').set({ is_on: 1 }).execute()
    await pass(30)
    expect(mail.mails).toEqual([])
    await pass(31)
    expect(mail.mails).toHaveLength(1)
  })

  it('goes to a second list once nobody has acknowledged for a time', async () => {
    const first = await addChannel(mailChannel())
    const second = await addChannel(mailChannel({ name: 'Boss', to: 'boss@example.com' }))
    await app.change('unknown', {
      channels: { is_all: false, ids: [first.channel.id] },
      escalate_minutes: 15,
      escalation_ids: [second.channel.id],
    })
    await unknownRuns()
    await pass(60)
    await pass(14)
    expect(mail.mails.map(({ to }) => to[0])).toEqual(['ann@example.com'])
    await pass(1)
    await pass(60)
    expect(mail.mails.map(({ to }) => to[0])).toEqual(['ann@example.com', 'boss@example.com'])
    expect(mail.subjects()[1]).toContain('Not acknowledged: Run')
  })

  it('that the server refuses for an hour is sent later, in its order, and nothing is lost', async () => {
    await addChannel(mailChannel({ digest_above: 100 }))
    mail.control.refuse = 'Try again later'
    for (let n = 0; n < 4; n++) {
      await unknownRuns()
      await pass(15)
    }
    for (let n = 0; n < 6; n++) await pass(15)
    expect(mail.mails).toEqual([])
    const waiting = await app.server.db
      .selectFrom('delivery')
      .select(['subject', 'state', 'last_error'])
      .orderBy('id')
      .execute()
    expect(waiting).toHaveLength(4)
    expect(waiting[0]).toMatchObject({ state: 'waiting', last_error: '451 Try again later' })
    mail.control.refuse = undefined
    for (let n = 0; n < 5; n++) await pass(70)
    expect(mail.subjects().map((subject) => subject?.slice(0, 30))).toEqual(
      waiting.map(({ subject }) => subject.slice(0, 30)),
    )
  })

  it('that a server never answers ends by itself, holds up no other channel, and is sent once later', async () => {
    const silent = await startSilentServer()
    const swallowing = await startMailServer()
    closing.push(silent.close, swallowing.close)
    swallowing.control.isHangingAfterData = true
    const webhook = Promise.withResolvers<string>()
    const pager = await startUpstream(({ body }, response) => {
      response.writeHead(204).end()
      webhook.resolve(body)
    })
    closing.push(pager.close)
    const plain = { security: 'none', user: '', secret: '', ca: '' }
    await addChannel(mailChannel({ ...plain, name: 'Silent', port: silent.port }))
    await addChannel(mailChannel({ ...plain, name: 'After DATA', port: swallowing.port }))
    await addChannel({ name: 'Pager', kind: 'webhook', is_on: true, url: `${pager.url}/alarms` })
    await unknownRuns()
    await app.check(60)
    const sending = app.server.unattended.deliveries.keeper.look()
    expect(await webhook.promise).toContain('alarm.raised')
    const { db } = app.server
    const tried = () =>
      db
        .selectFrom('delivery')
        .select(['channel', 'state', 'tries', 'last_error', 'lease_until'])
        .orderBy('id')
        .execute()
    await silent.connected
    expect((await tried()).slice(0, 2)).toMatchObject([{ tries: 0 }, { tries: 0 }])
    await sending
    const timeout = expect.stringMatching(/time/i)
    const later = { channel: 'e-mail', state: 'waiting', tries: 1, lease_until: null }
    expect(await tried()).toMatchObject([
      { ...later, last_error: timeout },
      { ...later, last_error: timeout },
      { channel: 'webhook', state: 'delivered', tries: 1 },
    ])
    expect(swallowing.mails).toEqual([])

    silent.speakAs(mail.port)
    swallowing.control.isHangingAfterData = false
    await pass(1)
    await pass(60)
    expect((await tried()).map(({ state, tries }) => [state, tries])).toEqual([
      ['delivered', 2],
      ['delivered', 2],
      ['delivered', 1],
    ])
    expect([mail.mails.length, swallowing.mails.length]).toEqual([1, 1])
    await resolveAll()
  })

  it('is told once, when the server dies between the check and the sending', async () => {
    await addChannel(mailChannel())
    await unknownRuns()
    // The check commits the alarm with what is to be sent. Nothing is sent before the next round.
    await app.check(60)
    const left = await app.server.db.selectFrom('delivery').selectAll().execute()
    expect(left).toHaveLength(1)
    await app.check(1)
    await pass(1)
    expect(mail.mails).toHaveLength(1)
  })
})

describe('the connection to a mail server', () => {
  it('is tested at once, with what the server answers', async () => {
    const { channel } = await addChannel(mailChannel())
    expect(await test(channel.id)).toEqual({ ok: true, answer: '250 queued as 1' })
    expect(mail.subjects()).toEqual(['[Gatehouse] Test of this channel'])
  })

  it('fails with a wrong password, which is not repeated', async () => {
    const { channel } = await addChannel(mailChannel({ secret: 'wrong horse battery' }))
    const { ok, answer } = await test(channel.id)
    expect(ok).toBe(false)
    expect(answer).toContain('535')
    expect(answer).not.toContain('wrong horse')
  })

  it('sends nothing where the server can’t be secure, or shows another certificate', async () => {
    const plain = await startMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    closing.push(plain.close)
    const { channel } = await addChannel(mailChannel({ port: plain.port }))
    expect(await test(channel.id)).toMatchObject({ ok: false })
    const other = await addChannel(mailChannel({ ca: '' }))
    expect((await test(other.channel.id)).answer).toMatch(/self.signed|certificate/i)
    expect([...plain.mails, ...mail.mails]).toEqual([])
  })

  it('is secure from the beginning where the channel says so', async () => {
    const secure = await startMailServer({ secure: true })
    closing.push(secure.close)
    const { channel } = await addChannel(mailChannel({ port: secure.port, security: 'tls' }))
    expect(await test(channel.id)).toMatchObject({ ok: true })
    expect(secure.mails).toMatchObject([{ isSecure: true }])
  })

  it('is plain only by choice, and only into private networks', async () => {
    const choice = { security: 'none', user: '', secret: '' }
    const { channel } = await addChannel(mailChannel(choice))
    expect(await test(channel.id)).toMatchObject({ ok: true })
    expect(mail.mails).toMatchObject([{ isSecure: false, user: undefined }])
    const answer = await app.post('/api/alarm-channels', mailChannel({ security: 'none' }))
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { security: expect.anything() as object } },
    })
  })

  it('reaches no address that the guard refuses', async () => {
    const { channel } = await addChannel(mailChannel({ host: '169.254.169.254' }))
    const { ok, answer } = await test(channel.id)
    expect(ok).toBe(false)
    expect(answer).toContain('169.254.169.254 is never called')
  })

  it('is cut off where the server hangs or talks nonsense', async () => {
    const sockets: Socket[] = []
    const noise = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
    }).listen(0, '127.0.0.1')
    await once(noise, 'listening')
    closing.push(() => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => noise.close(resolve))
    })
    const { port } = noise.address() as AddressInfo
    const { channel } = await addChannel(mailChannel({ port }))
    expect(await test(channel.id)).toMatchObject({ ok: false })
  })

  it('needs the password again for another server', async () => {
    const { channel } = await addChannel(mailChannel())
    const save = (changes: Record<string, unknown>) =>
      app.server.send('PUT', `/api/alarm-channels/${channel.id}`, {
        token: app.token,
        body: mailChannel({ secret: '', ...changes }),
      })
    expect((await save({ to: 'eve@example.com' })).status).toBe(200)
    expect(await test(channel.id)).toMatchObject({ ok: true })
    expect(await save({ host: 'evil.example.com' })).toMatchObject({
      status: 422,
      body: { errors: { secret: expect.anything() as object } },
    })
    const { text } = await app.server.send('GET', `/api/alarm-channels/${channel.id}/edit`, {
      token: app.token,
    })
    expect(text).not.toContain('a password of mail')
  })
})

describe('a webhook', () => {
  it('gets the alarm, signed with a secret that is shown once', async () => {
    const shop = await startUpstream((_request, response) => void response.writeHead(204).end())
    closing.push(shop.close)
    const url = `${shop.url}/alarms?of=gatehouse`
    const { channel, new_secret } = await addChannel({
      name: 'Pager',
      kind: 'webhook',
      is_on: true,
      url,
    })
    expect(new_secret).toMatch(/^whsec_/)
    expect(await test(channel.id)).toEqual({ ok: true, answer: 'It answered 204.' })
    await unknownRuns()
    await pass(60)
    const got = shop.received[1]!
    const body = JSON.parse(got.body) as { type: string; data: { alarms: object[] } }
    expect(body).toMatchObject({
      type: 'alarm.raised',
      data: { count: 1, alarms: [{ what: 'unknown', rule: 'Outcome unknown' }] },
    })
    const key = Buffer.from(new_secret!.slice('whsec_'.length), 'base64')
    const signed = [got.headers['webhook-id'], got.headers['webhook-timestamp'], got.body].join('.')
    expect(got.headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
  })
})

describe('a test before a channel is saved', () => {
  const testUnsaved = (body: object, id?: number) =>
    app.post(`/api/alarm-channels/test${id === undefined ? '' : `?id=${id}`}`, body)
  const count = async () =>
    (await app.server.db.selectFrom('alarm_channel').select('id').execute()).length

  it('goes to the webhook of the form, signed, and stores nothing but its event', async () => {
    const got = Promise.withResolvers<Record<string, unknown>>()
    const pager = await startUpstream(({ headers, body }, response) => {
      response.writeHead(202).end()
      got.resolve({ ...headers, body })
    })
    closing.push(pager.close)
    const before = await count()
    const channel = { name: 'Pager', kind: 'webhook', url: `${pager.url}/alarms` }
    const answer = await testUnsaved(channel)
    expect(answer.body).toEqual({ ok: true, answer: 'It answered 202.' })
    expect(await got.promise).toMatchObject({
      'webhook-signature': expect.stringMatching(/^v1,/),
      body: expect.stringContaining('alarm.test'),
    })
    expect(await count()).toBe(before)
    const [event] = await app.server.db
      .selectFrom('audit_event')
      .selectAll()
      .where('action', '=', 'alarm-channel.test')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(event).toMatchObject({ thing_name: 'Pager', thing_id: null })
    expect(JSON.stringify(event)).not.toContain('whsec_')
  })

  it('takes the stored password to the stored mail server alone', async () => {
    const { channel } = await addChannel(mailChannel())
    const same = mailChannel({ secret: '', to: 'carl@example.com' })
    expect((await testUnsaved(same, channel.id)).body).toMatchObject({ ok: true })
    expect(mail.mails).toMatchObject([{ to: ['carl@example.com'], user: 'gatehouse' }])
    const moved = await testUnsaved({ ...same, host: 'other.example.com' }, channel.id)
    expect(moved).toMatchObject({ status: 422, body: { errors: { secret: [expect.any(String)] } } })
    const webhook = { name: 'Other', kind: 'webhook', url: 'https://example.com' }
    expect(await testUnsaved(webhook, channel.id)).toMatchObject({
      status: 422,
      body: { errors: { kind: [expect.any(String)] } },
    })
  })

  it('refuses what a save would refuse, and addresses that may not be called', async () => {
    expect(await testUnsaved({ name: '', kind: 'webhook', url: '' })).toMatchObject({
      status: 422,
      body: { errors: { name: [expect.any(String)], url: [expect.any(String)] } },
    })
    const inside = { name: 'Inside', kind: 'webhook', url: 'http://169.254.169.254/' }
    expect((await testUnsaved(inside)).body).toMatchObject({ ok: false })
  })
})
