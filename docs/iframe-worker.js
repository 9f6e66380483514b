// The search of a page that is read from the disk: browsers refuse it a worker, so a hidden frame
// is one.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = `<script src="${new URL(address, location)}"></script>`;
      this.inside = new Promise((loaded) => {
        frame.onload = () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.tell(window, this, data);
          loaded(inside);
        };
      });
      document.body.append(frame);
    }

    postMessage(data) {
      this.inside.then((inside) => this.tell(inside, inside, data));
    }

    tell(realm, target, data) {
      target.dispatchEvent(new realm.MessageEvent("message", { data }));
    }
  };
}
