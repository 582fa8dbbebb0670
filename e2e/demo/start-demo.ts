import { rmSync } from 'node:fs'
import { newDataDir } from '../harness/data-dir.ts'
import { runProduct, type Product } from '../harness/run-product.ts'
import { startDemoAuthority, type DemoServer } from './demo-authority.ts'
import { startDemoErp } from './demo-erp.ts'
import { fillDemo } from './fill-demo.ts'

interface Ports {
  dashboard: number
  gateway: number
  authority: number
  erp: number
}

interface Demo {
  product: Product
  authorityUrl: string
  erpUrl: string
  /** Ends all of it and removes what it stored. */
  stop: () => Promise<void>
}

/** The product with an authority that stands in and a small ERP, filled with data, in a data folder of its own. */
export async function startDemo(ports: Ports): Promise<Demo> {
  const folder = newDataDir()
  const servers: DemoServer[] = []
  let product: Product | undefined
  const stop = async () => {
    await product?.end('SIGTERM')
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const authority = await startDemoAuthority(ports.authority)
    servers.push(authority)
    const erp = await startDemoErp(ports.erp)
    servers.push(erp)
    product = await runProduct({
      DATA_DIR: folder,
      PORT: String(ports.dashboard),
      GATEWAY_PORT: String(ports.gateway),
    })
    const { url, gatewayUrl } = product
    await fillDemo({ url, gatewayUrl, erpUrl: erp.url, authorityUrl: authority.url })
    return { product, authorityUrl: authority.url, erpUrl: erp.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
