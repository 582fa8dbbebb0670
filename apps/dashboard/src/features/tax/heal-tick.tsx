import { Checkbox, Paper } from '@mantine/core'
import type { BundleFields } from './bundle-frame.tsx'
import classes from './tax.module.css'

/** What machines send is healed by itself; what a person sends, where the person says so. */
export function HealTick({ kept: { form, edit } }: BundleFields) {
  return (
    <Paper className={classes['card'] ?? ''}>
      <Checkbox
        label="Ask by itself where the outcome stays unknown"
        description="Gatehouse asks the status query of the endpoint until it is settled. Nothing is sent again without you."
        checked={form.heals}
        onChange={(event) => edit({ heals: event.currentTarget.checked })}
      />
    </Paper>
  )
}
