import { describe, expect, it } from 'vitest'
import { parseIp } from './ip-address.ts'

describe('an address is brought to one spelling', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::FFFF:7f00:1', '127.0.0.1'],
    ['0:0:0:0:0:ffff:7f00:0001', '127.0.0.1'],
    ['[::1]', '0:0:0:0:0:0:0:1'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
    ['2001:DB8::00ff', '2001:db8:0:0:0:0:0:ff'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::1.2.3.4', '0:0:0:0:0:0:102:304'],
  ])('%s is %s', (literal, text) => {
    expect(parseIp(literal)?.text).toBe(text)
  })

  it.each([
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '127.0.0.1.',
    '1::2::3',
    '127.0.0.256',
    '1.2.3',
  ])('%j is no address', (literal) => {
    expect(parseIp(literal)).toBeUndefined()
  })
})

describe('the IPv4 address inside an IPv6 address is found', () => {
  it.each([
    ['compatible', '::10.1.2.3', ['10.1.2.3']],
    ['translated', '::ffff:0:10.1.2.3', ['10.1.2.3']],
    ['NAT64', '64:ff9b::10.1.2.3', ['10.1.2.3']],
    ['local NAT64, /96', '64:ff9b:1::10.1.2.3', ['10.1.2.3']],
    ['local NAT64, /48', '64:ff9b:1:a01:2:300::', ['10.1.2.3', '1.2.3.0', '2.3.0.0']],
    ['6to4', '2002:a01:203::1', ['10.1.2.3']],
    ['Teredo: server and client', '2001:0:c000:201::f5fe:fdfc', ['192.0.2.1', '10.1.2.3']],
    ['ISATAP', '2001:db8::5efe:10.1.2.3', ['10.1.2.3']],
    ['ISATAP, unique', '2001:db8::200:5efe:10.1.2.3', ['10.1.2.3']],
    ['none in ::1', '::1', []],
    ['none in ::', '::', []],
    ['none in a common one', '2001:db8::a01:203', []],
  ])('%s: %s', (_, literal, embedded) => {
    expect(parseIp(literal)?.embedded).toEqual(embedded)
  })
})
