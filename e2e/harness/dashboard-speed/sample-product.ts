import { creatorOf } from '../creator.ts'

/** One API with this many endpoints. A document was sent, so that no list shows the first steps. */
export async function sampleProduct(url: string, endpoints: number): Promise<void> {
  const { call, createApi, createEndpoint } = await creatorOf(url)
  const api = await createApi('Ledger', 'http://127.0.0.1:9')
  const createOne = (at: number) =>
    createEndpoint(api, ['post', `/documents/${at}`, `Filled invoice ${at}`], {
      description: `Sends the invoice ${at}`,
    })
  const end_point = await createOne(1)
  for (let at = 2; at <= endpoints; at++) await createOne(at)
  // Nobody answers it. What counts is that there is a run.
  await call('POST', '/api/prepare-data', {
    end_point,
    first_endpoint: '{}',
    second_endpoint: '{"invoice":1}',
  })
  const steps = await call('GET', '/api/first-steps')
  if ((steps.body as { is_new: boolean }).is_new) throw new Error('The first steps are not over.')
}
