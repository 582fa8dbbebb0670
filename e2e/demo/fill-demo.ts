import { creatorOf } from '../harness/creator.ts'
import { erpToken } from '../harness/authority-pages/erp-token.ts'
import { sendSales } from './demo-erp.ts'

interface Place {
  url: string
  gatewayUrl: string
  erpUrl: string
  authorityUrl: string
}

/** Registers the ERP and the authority, lets the ERP send its sales by token, and makes a few calls at the gateway. */
export async function fillDemo({ url, gatewayUrl, erpUrl, authorityUrl }: Place): Promise<void> {
  const { call, create, createApi, createEndpoint } = await creatorOf(url)
  const erp = await createApi('Demo ERP', erpUrl)
  await createEndpoint(erp, ['get', '/sales', 'List sales'])
  await createEndpoint(erp, ['get', '/sales/{number}', 'Read a sale'])
  const authority = await createApi('Demo authority', authorityUrl)
  const filing = await createEndpoint(authority, ['post', '/invoices', 'File a sale'], {
    run_settings: { profile: 'generic', reference_path: 'number' },
  })
  const workflow = await create('/api/workflows', workflowOf(filing))
  const program = await erpToken(call)
  await program.allow([workflow])
  await sendSales(url, program.token)
  for (const path of ['sales', 'sales/SALE-101', 'sales/SALE-999'])
    await fetch(`${gatewayUrl}/demo-erp/${path}`)
}

const workflowOf = (endpoint_id: number) => ({
  name: 'Demo sales',
  slug: 'demo-sales',
  kind: 'tax',
  status: 'active',
  description: 'Files each sale of the demo ERP with the authority that stands in.',
  sample_input: {
    number: 'SALE-1',
    customer: { name: 'Harbour Books', tax_number: '3000011' },
    total: '115.50',
  },
  reference_path: 'number',
  lane: { name: 'Demo authority' },
  steps: [
    {
      endpoint_id,
      body: {
        kind: 'template',
        text: '{"number":"{{input.number}}","customer":"{{input.customer.name}}","tax_number":"{{input.customer.tax_number}}","total":"{{input.total}}"}',
      },
    },
  ],
})
