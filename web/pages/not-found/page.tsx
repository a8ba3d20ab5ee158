// An address that leads nowhere, inside a workspace or outside.
import { Mark } from '../../components/page/brand.tsx'
import { Empty, PageHead } from '../../components/page/page.tsx'
import classes from '../../frame/frame.module.css'

/** Page outside any workspace, with a link back to one. */
export function LostPage() {
  return (
    <main className={classes.alone}>
      <a href="/" className={classes.aloneBrand}>
        <Mark />
        Assize
      </a>
      <PageHead title="Not found" />
      <Empty title="There is nothing at this address" action={<a href="/">To your workspace</a>}>
        The link may be old or incomplete. Receipts are checked at{' '}
        <a href="/verify" className="in-text">
          /verify
        </a>
        , and the API is described at{' '}
        <a href="/docs" className="in-text">
          /docs
        </a>
        .
      </Empty>
    </main>
  )
}

export function NotFoundPage() {
  return (
    <>
      <PageHead title="Not found" />
      <Empty title="There is nothing at this address" action={<a href="/">To the overview</a>}>
        The link may be old, or incomplete.
      </Empty>
    </>
  )
}
