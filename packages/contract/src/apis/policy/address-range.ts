import { z } from 'zod'

const range = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/**
 * An address or a range of addresses, like `203.0.113.7`, `10.0.0.0/8` or `fd00::/8`. An IPv4 address within an
 * IPv6 one is none: its bits would be counted from the wrong end.
 */
export const isAddressRange = (text: string): boolean =>
  /^(?:[\d.]+|[\da-f:]+)(?:\/\d{1,3})?$/i.test(text) &&
  !/^[0:]*:ffff:/i.test(text) &&
  range.safeParse(text).success
