import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import type { AddressGuardOptions } from './address-guard.ts'

const buildGuard = (options: Partial<AddressGuardOptions> = {}) =>
  createAddressGuard({ allow: [], deny: [], own: () => [], ...options })

describe('every spelling of a blocked address is refused on the URL', () => {
  const guard = buildGuard()
  it.each([
    // 169.254.169.254
    'http://169.254.169.254/latest/meta-data/',
    'http://169.254.169.254./',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0XA9.0XFE.0XA9.0XFE/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://169.16689662/',
    'http://0xa9.254.0251.0xfe/',
    'http://%31%36%39.254.169.254/',
    'http://169。254。169。254/',
    'http://169.254．169｡254/',
    'http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
    'http://１６９.254.169.254/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[0:0:0:0:0:FFFF:A9FE:A9FE]/',
    'http://[::169.254.169.254]/',
    'http://[::ffff:0:a9fe:a9fe]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[64:ff9b:1:a9fe:a9:fe00::]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[2001:0:102:304::5601:5601]/',
    'http://[fd00::5efe:a9fe:a9fe]/',
    'https://169.254.169.254:8443/',
    'http://\t169.254.\n169.254/',
    // others that are always blocked
    'http://[fe80::1]/',
    'http://[febf:ffff::1]/',
    'http://169.254.0.1/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://192.0.0.192/',
    'http://0.0.0.0/',
    'http://0/',
    'http://0x0/',
    'http://0.1.2.3/',
    'http://[::]/',
    'http://[0:0::0]/',
    'http://[::ffff:0.0.0.0]/',
    'http://255.255.255.255/',
    'http://4294967295/',
    'http://240.0.0.1/',
    'http://224.0.0.251/',
    'http://[ff02::1]/',
    'http://[fec0::1]/',
    'http://[feff:ffff::1]/',
    'http://192.0.0.8/',
    'http://[::ffff:192.0.0.170]/',
    'http://192.88.99.1/',
    'http://[100::1]/',
    'http://[100:0:0:1::1]/',
    'http://[2001:10::1]/',
    'http://[2001:2f::1]/',
    'http://[5f00::1]/',
  ])('%s', (address) => {
    expect(guard.literalRefusal(new URL(address))).toMatch(/never called/)
  })

  it.each([
    'ftp://10.0.0.1/',
    'file:///etc/passwd',
    'ws://10.0.0.1/',
    'http://admin@10.0.0.1/',
    'http://:secret@10.0.0.1/',
  ])('%s: other schemes and credentials are refused, and never shown', (address) => {
    const refusal = guard.literalRefusal(new URL(address))
    expect(refusal).toMatch(/not called|only http and https/)
    expect(refusal).not.toContain('secret')
  })

  it.each([
    'http://127.0.0.1:9000/',
    'http://[::1]:9000/',
    'http://10.1.2.3/',
    'http://172.16.0.9/',
    'http://192.168.1.4:8069/odoo',
    'http://100.64.0.7/',
    'http://[fd12:3456::1]/',
    'https://api.tax.example/',
    'http://8.8.8.8/',
    'http://[100:0:0:2::1]/',
    'http://[2001:30::1]/',
    'http://[2606:4700::1111]/',
    // for documentation and benchmarks: some networks use them as private ones
    'http://198.18.0.7/',
    'http://203.0.113.7/',
    'http://[2001:db8::7]/',
    'http://[3fff::7]/',
  ])('%s: loopback, private and public addresses may be called', (address) => {
    expect(guard.literalRefusal(new URL(address))).toBeUndefined()
  })
})

describe('our own listeners and the store are never called', () => {
  const machine = ['127.0.0.1', '::1', '192.0.2.7', 'fd00::7']
  const localSpellings = [
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:2',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '192.0.2.7',
    '::ffff:192.0.2.7',
    'fd00::7',
    'fd00:0::0007',
  ]
  const bindings = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::', '', '192.0.2.7']
  const guardFor = (address: string) =>
    buildGuard({ own: () => [{ address, port: 3000 }], localAddresses: () => machine })

  it.each(bindings)('bound to %j: by no address of this machine', (binding) => {
    const reached = localSpellings.filter((each) => !guardFor(binding).refusal(each, 3000))
    expect(reached).toEqual([])
  })

  it.each(bindings)('bound to %j: other ports and other machines stay open', (binding) => {
    expect(guardFor(binding).refusal('127.0.0.1', 3001)).toBeUndefined()
    expect(guardFor(binding).refusal('192.0.2.8', 3000)).toBeUndefined()
  })

  it('on the interface addresses that the machine really has', () => {
    const guard = buildGuard({ own: () => [{ address: '0.0.0.0', port: 3000 }] })
    const real = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    expect(real.filter(({ address }) => !guard.refusal(address, 3000))).toEqual([])
  })

  it('a store on another machine is closed at its port alone', () => {
    const guard = guardFor('10.9.8.7')
    expect(guard.refusal('10.9.8.7', 3000)).toMatch(/never called/)
    expect(guard.refusal('::ffff:10.9.8.7', 3000)).toMatch(/never called/)
    expect(guard.refusal('10.9.8.7', 443)).toBeUndefined()
  })

  it('the default port of the scheme counts', () => {
    const guard = buildGuard({ own: () => [{ address: '127.0.0.1', port: 80 }] })
    expect(guard.literalRefusal(new URL('http://127.1/'))).toMatch(/port 80 is never called/)
    expect(guard.literalRefusal(new URL('https://127.1/'))).toBeUndefined()
  })

  it('the name of a store is refused before it is looked up', () => {
    const guard = guardFor('DB.internal')
    expect(guard.literalRefusal(new URL('http://db.internal.:3000/'))).toMatch(/never called/)
    expect(guard.literalRefusal(new URL('http://db.internal/'))).toBeUndefined()
  })

  it('a listener that comes up later is asked for on each check', () => {
    const own: { address: string; port: number }[] = []
    const guard = buildGuard({ own: () => own })
    expect(guard.refusal('127.0.0.1', 3000)).toBeUndefined()
    own.push({ address: '127.0.0.1', port: 3000 })
    expect(guard.refusal('127.0.0.1', 3000)).toMatch(/never called/)
  })
})

describe('UPSTREAM_ALLOW and UPSTREAM_DENY only narrow', () => {
  it('an allow list closes everything else', () => {
    const guard = buildGuard({ allow: ['10.0.0.0/8', 'fd00:1::/32', '192.168.1.4'] })
    const open = ['10.255.0.1', '::ffff:10.0.0.1', 'fd00:1::5', '192.168.1.4']
    const closed = ['11.0.0.1', '192.168.1.5', 'fd00:2::5', '::1', '127.0.0.1']
    expect(open.map((each) => guard.refusal(each, 80))).toEqual(open.map(() => undefined))
    expect(closed.filter((each) => !/UPSTREAM_ALLOW/.test(guard.refusal(each, 80) ?? ''))).toEqual(
      [],
    )
  })

  it('an allowed IPv4 address inside a tunnel address opens nothing', () => {
    const guard = buildGuard({ allow: ['10.0.0.0/8'] })
    expect(guard.refusal('2002:a00:1::', 80)).toMatch(/UPSTREAM_ALLOW/)
    expect(guard.refusal('64:ff9b::10.0.0.1', 80)).toMatch(/UPSTREAM_ALLOW/)
  })

  it('an allow list opens nothing that is always blocked', () => {
    const guard = buildGuard({
      allow: ['0.0.0.0/0', '::/0', '169.254.169.254/32'],
      own: () => [{ address: '127.0.0.1', port: 3000 }],
    })
    const blocked = ['169.254.169.254', 'fe80::1', '224.0.0.1', '0.0.0.0', '127.0.0.1']
    expect(blocked.filter((each) => !/never called/.test(guard.refusal(each, 3000) ?? ''))).toEqual(
      [],
    )
  })

  it('a deny list closes its ranges, wrapped ones included, and wins over the allow list', () => {
    const guard = buildGuard({ allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16', '::1/128'] })
    const closed = ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', '2002:a01:203::', '::1']
    expect(closed.filter((each) => !/UPSTREAM_DENY/.test(guard.refusal(each, 80) ?? ''))).toEqual(
      [],
    )
    expect(guard.refusal('10.2.0.1', 80)).toBeUndefined()
  })

  it.each([
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    'localhost',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::ffff:10.0.0.0/104',
    'fe80::1%eth0/64',
    '',
  ])('%j is no range and stops the start', (range) => {
    expect(() => buildGuard({ deny: [range] })).toThrow(RangeError)
    expect(() => buildGuard({ allow: [range] })).toThrow(`"${range}" is not an address range`)
  })
})

it('what is not an address is refused', () => {
  expect(buildGuard().refusal('metadata', 80)).toBe('metadata is not an IP address')
})
