import { Checkbox, Paper } from '@mantine/core'
import { useCan } from '../../lib/session/session.tsx'
import type { BundleFields } from './bundle-frame.tsx'
import classes from './tax.module.css'

/** Makes the whole bundle a test; hidden from users who may not test. */
export function TestInvoice({
  kept: { form, edit },
  sending: { errors, clearError },
}: BundleFields) {
  const can = useCan()
  const field = 'endpoint_1.test_invoice'
  if (!can('tax.test')) return null
  return (
    <Paper className={classes['card'] ?? ''}>
      <Checkbox
        label="Test invoice"
        description="Never reaches production: it goes to the API’s test address, or nowhere. Marked TEST wherever it shows."
        checked={form.isTest}
        onChange={(event) => {
          edit({ isTest: event.currentTarget.checked })
          clearError(field)
        }}
        error={errors[field]}
      />
    </Paper>
  )
}
