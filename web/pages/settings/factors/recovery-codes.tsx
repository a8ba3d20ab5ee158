// Recovery codes, shown only once.

import { ShownOnce } from '../../../components/dialog/one-time-secret.tsx'
import { CopyButton } from '../../../components/page/copy.tsx'
import classes from '../settings.module.css'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly close: () => void
}

export function RecoveryCodes({ codes, close }: RecoveryCodesProps) {
  return (
    <ShownOnce title="Your recovery codes" what="codes" close={close}>
      <p>
        This is the only time they are shown. Each opens your account once, with the password, when the phone or the key
        is lost.
      </p>
      <ol className={classes.codes} data-testid="recovery-codes">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={classes.line}>
        <CopyButton text={codes.join('\n')} label="Copy the codes" variant="filled" />
      </div>
    </ShownOnce>
  )
}
