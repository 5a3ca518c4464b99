// The dialog in which a photograph is taken. Browsers allow cameras on secure pages (HTTPS, or this machine) only.

const PROBLEMS = {
  NotAllowedError: "The browser was not allowed to use the camera. Its settings for this page can change that.",
  NotFoundError: "No camera was found.",
  NotReadableError: "The camera is used by another program.",
};

export const isAllowed = () => window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

export class Camera {
  /** @param parts the elements of the dialog; `taken` is called with the photograph, a Blob */
  constructor(parts, taken) {
    Object.assign(this, parts, { taken, stream: null, facing: "environment", starts: 0 });
    this.close.addEventListener("click", () => this.dialog.close());
    this.turn.addEventListener("click", () => {
      this.facing = this.facing === "user" ? "environment" : "user";
      this.start();
    });
    this.shoot.addEventListener("click", () => this.take());
    this.dialog.addEventListener("close", () => this.stop());
  }

  open() {
    this.dialog.showModal();
    this.start();
  }

  stop() {
    // Streams that the browser has not given yet are not wanted any more.
    this.starts += 1;
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
    this.video.srcObject = null;
    this.shoot.disabled = true;
  }

  async start() {
    this.stop();
    const number = this.starts;
    this.problem.hidden = true;
    try {
      const wanted = { facingMode: this.facing, width: { ideal: 1920 }, height: { ideal: 1080 } };
      const stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
      // The dialog may have been closed, or the camera changed, while the browser asked.
      if (number !== this.starts) {
        for (const track of stream.getTracks()) track.stop();
        return;
      }
      this.stream = stream;
      this.video.srcObject = stream;
      await this.video.play();
      const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
      this.turn.hidden = cameras.length < 2;
      this.shoot.disabled = false;
      this.shoot.focus();
    } catch (failure) {
      if (number !== this.starts) return;
      this.problem.textContent = PROBLEMS[failure.name] ?? `The camera cannot be used: ${failure.message}`;
      this.problem.hidden = false;
    }
  }

  take() {
    const still = document.createElement("canvas");
    [still.width, still.height] = [this.video.videoWidth, this.video.videoHeight];
    still.getContext("2d").drawImage(this.video, 0, 0);
    this.dialog.close();
    still.toBlob((blob) => this.taken(blob), "image/jpeg", 0.92);
  }
}
