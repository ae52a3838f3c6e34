import './runs.css';
import { AutoRunSection } from './AutoRunSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { QueueSection } from './QueueSection.tsx';

/** What waits to run, what the notebook's runs cost, and which runs begin automatically. */
export function RunsPanel() {
  return (
    <div className="runs" data-own-arrows>
      <div className="runs-side">
        <AutoRunSection />
        <QueueSection />
      </div>
      <ProfileSection />
    </div>
  );
}
