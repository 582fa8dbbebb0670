import { EndpointChoices } from '../../entities/endpoint/endpoint-choices.tsx'
import { Page } from '../../ui/page/page.tsx'
import { BundleFrame } from './bundle-frame.tsx'
import { bundleChoices } from './bundle-queries.ts'
import type { RenderRun } from './send-status.tsx'
import { TaxFields } from './tax-fields.tsx'
import { taxMessages } from './tax-messages.ts'

/** Up to four endpoints, one after the other (spec: tax-request). */
export function TaxPage({ renderRun }: { renderRun?: RenderRun | undefined }) {
  return (
    <Page
      title="Build Request with 4 endpoints"
      subtitle="Sent one after the other; each step begins when the one before it has succeeded. Endpoints left blank end the request."
    >
      <EndpointChoices source={bundleChoices.tax} failureText={taxMessages.choicesNotLoaded}>
        <BundleFrame kind="tax" label="Tax request" permission="tax.send" renderRun={renderRun}>
          {(fields) => <TaxFields {...fields} />}
        </BundleFrame>
      </EndpointChoices>
    </Page>
  )
}
