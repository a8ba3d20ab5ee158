// Recovery codes, the one time they are shown.
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import classes from './settings.module.css'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly close: () => void
}

export function RecoveryCodes({ codes, close }: RecoveryCodesProps) {
  const [isStored, setStored] = useState(false)
  return (
    <Dialog
      onClose={close}
      title="Your recovery codes"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={classes.form}>
        <p>
          This is the only time they are shown. Each opens your account once, with the password, when the phone or the
          key is lost.
        </p>
        <ol className={classes.codes} data-testid="recovery-codes">
          {codes.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className={classes.line}>
          <CopyButton text={codes.join('\n')} label="Copy the codes" variant="filled" />
        </div>
        <Checkbox
          label="I have stored the codes in a safe place"
          checked={isStored}
          onChange={event => setStored(event.currentTarget.checked)}
        />
        <Button disabled={!isStored} onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
