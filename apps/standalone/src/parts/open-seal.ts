import { join } from 'node:path'
import { createTwoKeyBox, findAppKey, type Settings } from '@gatehouse/server/environment'

/** The place that the kept configuration is sealed for. */
const place = { table: 'gateway-snapshot', row: 0, field: 'file' }

/**
 * The box that stored secrets are in; a gateway that runs alone has a key of its own. On a first start the control
 * plane makes its key.
 */
export function openSeal(settings: Settings, folder: string) {
  const key = settings.gatewayKey ?? findAppKey(folder, settings.appKey)
  if (!key) throw new Error(`There is no key in ${join(folder, 'app.key')} yet.`)
  const box = createTwoKeyBox(key, settings.gatewayKey ? undefined : settings.appKeyPrevious)
  return {
    seal: (plain: string) => box.seal(plain, place),
    open: (sealed: string) => box.open(sealed, place),
  }
}
