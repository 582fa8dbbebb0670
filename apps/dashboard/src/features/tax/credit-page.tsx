import { EndpointChoices } from '../../entities/endpoint/endpoint-choices.tsx'
import { Page } from '../../ui/page/page.tsx'
import { BundleFrame } from './bundle-frame.tsx'
import { bundleChoices } from './bundle-queries.ts'
import { CreditFields } from './credit-fields.tsx'
import type { RenderRun } from './send-status.tsx'
import { taxMessages } from './tax-messages.ts'

/** Three endpoints, one after the other (spec: credit-request). */
export function CreditPage({ renderRun }: { renderRun?: RenderRun | undefined }) {
  return (
    <Page
      title="Credit Request"
      subtitle="Up to three endpoints, one after the other; each step begins when the one before it has succeeded."
    >
      <EndpointChoices source={bundleChoices.credit} failureText={taxMessages.choicesNotLoaded}>
        <BundleFrame
          kind="credit"
          label="Credit request"
          permission="credit.send"
          renderRun={renderRun}
        >
          {(fields) => <CreditFields {...fields} />}
        </BundleFrame>
      </EndpointChoices>
    </Page>
  )
}
